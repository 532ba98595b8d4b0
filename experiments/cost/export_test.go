package cost

// What the tests of this package, which stand outside it, look into.
var (
	Balance = balance
	Sizes   = sizes
)

const UnknownWork = unknownWork
