package verdict

// What tests outside of the package look into.
var (
	ReadingsOf = readings
	Joined     = joined
)
