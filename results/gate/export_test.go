package gate

// Taken is what a test outside of the package looks into.
var Taken = taken
