package cluster

// Slurm returns a script for sbatch. It runs the tasks 1 to N as an array; with
// --array=0 it is the last task. It fails when a text cannot stand in a script.
func Slurm(j Job) (string, error) { return execute("slurm.sh", j) }

// SlurmAgain returns the options of sbatch that make the script the array of a job whose
// cells were divided, to finish these once the last task has merged the first one.
func SlurmAgain(last string) []string { return []string{"--dependency=afterany:" + last} }

// SlurmLast returns the options of sbatch that make the script of an array the
// last task. It starts when all tasks of that array have ended, however they
// did: the table shows what is missing.
func SlurmLast(array string) []string {
	return []string{"--dependency=afterany:" + array, "--array=0"}
}
