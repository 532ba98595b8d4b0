package judge

// What the tests of this package, which stand outside it, look into.
var (
	Costs      = costsOf
	Drawings   = drawingsOf
	OwnStudies = ownStudies
	Find       = find
	IsPaper    = isPaper
	MeantFor   = meantFor
	Readings   = readings
	Taken      = taken
)
