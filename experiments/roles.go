package experiments

// Paper is the spec of the paper's table.
const Paper = "accuracy"
