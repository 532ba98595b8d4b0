package cost

// What the tests of this package, which stand outside it, look into.
var Balance = balance

const UnknownWork = unknownWork
