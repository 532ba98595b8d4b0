package registry

import "r2lmlbench/experiments/method"

// What the paper's text leaves open about its methods. Quotations are from its
// section on experiments, with a capital letter at their beginning.
var (
	lmnnOpen = []method.OpenSetting{{
		Parameters: []string{"step"},
		Text: "\"For LMNN, at most 500 iterations were performed and 30% of training data were used as a validation set\": the length of the first " +
			"step is not given, and it decides how far 500 iterations get.",
	}}
	lmnnMMOpen = []method.OpenSetting{{
		Parameters: []string{"iterations"},
		Text: "\"The maximum number of iterations for LMNN-MM was set to 50\": the descent starts from a result of LMNN, and how many of these " +
			"iterations it makes before it stops is not given.",
	}}
	glmlOpen = []method.OpenSetting{{
		Parameters: []string{"shrinkage"},
		Text: "\"For GLML, we chose the optimal γ setting via cross-validation\": how class covariances that cannot be inverted are regularized " +
			"is not given.",
	}}
	plmlOpen = []method.OpenSetting{{
		Parameters: []string{"anchors", "lambda1", "lambda2"},
		Text: "\"The PLML hyper-parameter values were chosen as in\" the method's own publication, \"while α1 was chosen via cross-validation\": " +
			"the number of anchors and the weights of the graph between samples are not given.",
	}}
	epochsOpen = method.OpenSetting{
		Parameters: []string{"epochs", "iterations"},
		Text: "\"We terminated our algorithm, if it reached 5 epochs\" of 500 iterations: the published program makes 4 passes when it is told 5, " +
			"and its demonstration has 10 epochs of 800 iterations.",
	}
	scaleOpen = method.OpenSetting{
		Parameters: []string{"feature-scale"}, Rescaled: true,
		Text: "\"PCA was used\" on four data sets, and copies of data sets differ by a factor: the scale of the features, which decides what a step " +
			"of fixed length does, is not given.",
	}
	efficientOpen    = []method.OpenSetting{epochsOpen, scaleOpen}
	transductiveOpen = []method.OpenSetting{epochsOpen, scaleOpen, {
		Parameters: []string{"unlabeled"},
		Text: "\"For T-R2LML, the value of the regularization parameter λ was cross-validated\": which samples the transductive method has without " +
			"labels while it validates is not given.",
	}}
)
