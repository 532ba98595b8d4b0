package verdict

// ReadingsOf is what a test outside of the package looks into.
var ReadingsOf = readings
