package datasets

// Open finds, loads and cuts a set of the library in dir.
func Open(dir, name string, r Rule) (*Split, error) {
	e, err := Find(name)
	if err != nil {
		return nil, err
	}
	d, err := Library{dir}.Load(e)
	if err != nil {
		return nil, err
	}
	return Cut(e, d, r)
}
