package study

// SurfaceMeasure fits every point of a grid to the test problem. Its outcome is
// no fact or series of a cell, see results.Surface.
const SurfaceMeasure = "surface"
