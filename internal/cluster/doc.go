// Package cluster writes what a batch system needs to compute a spec as an
// array of tasks: a script for Slurm, a manifest for Kubernetes.
//
// Both have the same contract. Task I of N runs
//
//	r2lmlbench run SPEC --shard I/N --results RESULTS/shards/I-of-N
//
// in a directory of its own, since file locks are not to be relied on over
// network file systems. It first takes over the cells that RESULTS holds, so
// that nothing is computed twice, and it may be killed and started again at any
// time: finished cells and grid points are kept. When all tasks have ended, a
// last one merges their directories into RESULTS and prints the table.
//
// A cell that is more than a task's share of the work is divided: every task scores a part of its
// grid. The merge unites the parts, and then the cell is finished: on Slurm by the same array once more
// and another merge, on Kubernetes by the last task.
package cluster
