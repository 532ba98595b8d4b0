package cluster

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Pod says what a Job runs in on Kubernetes.
type Pod struct {
	Image string // with /bin/sh, and with r2lmlbench in its PATH; visible ASCII characters
	Claim string // volume claim for data and results, a DNS subdomain; empty: one is made
	Spec  []byte // content of the spec, mounted as a file; nil: the name of an embedded one is enough
}

// Image is the name of the image that the Dockerfile of the repository makes.
const Image = "r2lmlbench:0.2.0"

// group is the group of the program in that image, which volumes are given to.
const group = 65532

// Places inside the containers. The results of a spec go below the volume.
const (
	volumePath = "/r2lmlbench"
	specFolder = "/spec"
	specFile   = "spec.yaml"
)

// Beside is where the pods look for a file that a spec names by a path: relative ones
// start at the folder of the spec, which is one of the image.
func Beside(file string) string {
	if path.IsAbs(file) {
		return path.Clean(file)
	}
	return path.Join(specFolder, file)
}

// Kubernetes returns a manifest: an Indexed Job whose tasks are the shards, and
// a Job for the last task, which is suspended since Kubernetes starts no Job
// after another by itself. Program, Results and Data of j are those inside the
// image and not looked at. It fails when the image or the claim cannot be the
// name of one.
func Kubernetes(j Job, p Pod) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	j.Program, j.Results, j.Data = "r2lmlbench", volumePath+"/results", volumePath+"/data"
	documents := []any{}
	claim := p.Claim
	if claim == "" {
		claim = "r2lmlbench"
		documents = append(documents, newClaim(claim))
	}
	if p.Spec != nil {
		j.Spec = specFolder + "/" + specFile
		documents = append(documents, newConfig(j.specName(), p.Spec))
	}
	template := newTemplate(j, p, claim)
	documents = append(documents, newArray(j, template), newLast(j, template))
	var b bytes.Buffer
	fmt.Fprintf(&b, manifestHead, j.name(), j.Tasks, claim, volumePath)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	for _, document := range documents {
		if err := e.Encode(document); err != nil {
			return "", fmt.Errorf("cluster: manifest of %s: %w", j.name(), err)
		}
	}
	return b.String(), e.Close()
}

// longestClaim bounds the name of a volume claim, in characters.
const longestClaim = 253

// subdomain is what Kubernetes takes as a name (RFC 1123): labels of at most 63
// characters, joined by dots.
var subdomain = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// check says what is wrong with the names of the image and the claim.
func (p Pod) check() error {
	unseen := func(r rune) bool { return r <= ' ' || r > '~' }
	if p.Image == "" || strings.ContainsFunc(p.Image, unseen) {
		return fmt.Errorf("cluster: %q is no name of an image, which holds no blanks, line ends or other than ASCII characters and is not empty; "+
			"give one such as %s with --image", p.Image, Image)
	}
	if p.Claim != "" && (len(p.Claim) > longestClaim || !subdomain.MatchString(p.Claim)) {
		return fmt.Errorf("cluster: %q is no name of a volume claim, which holds lower-case letters, digits, inner dashes and dots only; give one "+
			"that `kubectl get pvc` lists with --claim, or leave --claim out to have one made", p.Claim)
	}
	return nil
}

const manifestHead = `# Job %[1]s computes a share in each of %[2]d pods; job %[1]s-table,
# suspended at first, merges them and prints the table.
#
#     kubectl apply -f FILE
#     kubectl wait --for=condition=complete --timeout=-1s job/%[1]s
#     kubectl patch job %[1]s-table -p '{"spec":{"suspend":false}}'
#     kubectl wait --for=condition=complete --timeout=-1s job/%[1]s-table
#     kubectl logs job/%[1]s-table
#
# All pods mount the volume claim %[3]q at %[4]s: data sets are looked
# for in %[4]s/data (r2lmlbench data fetch --data %[4]s/data), results
# go to %[4]s/results. A pod that was killed goes on where it was. Cells
# that fail do not fail the pod: the table names them.
`

// specName is the name of the ConfigMap that holds the spec.
func (j Job) specName() string { return j.name() + "-spec" }

// newClaim asks for a volume that pods on several nodes can write to.
func newClaim(name string) manifest {
	m := manifest{APIVersion: "v1", Kind: "PersistentVolumeClaim", Metadata: metadata{Name: name}}
	m.Spec = claimSpec{AccessModes: []string{"ReadWriteMany"}, Resources: resources{Requests: map[string]string{"storage": "10Gi"}}}
	return m
}

func newConfig(name string, spec []byte) manifest {
	return manifest{APIVersion: "v1", Kind: "ConfigMap", Metadata: metadata{Name: name}, Data: map[string]text{specFile: text(spec)}}
}

// newArray is the Job of the shards. A pod that fails is tried again, three
// times per shard, but not when its command, spec or data are wrong (exit status
// 2, 3, 4); an eviction does not count.
func newArray(j Job, template podTemplate) manifest {
	m := manifest{APIVersion: "batch/v1", Kind: "Job", Metadata: metadata{Name: j.name()}}
	m.Spec = jobSpec{
		CompletionMode: "Indexed", Completions: j.Tasks, Parallelism: j.Tasks, BackoffLimitPerIndex: 3,
		PodFailurePolicy: &failurePolicy{Rules: []failureRule{
			{Action: "FailJob", OnExitCodes: &exitCodes{Operator: "In", Values: []int{2, 3, 4}}},
			{Action: "Ignore", OnPodConditions: []podCondition{{Type: "DisruptionTarget", Status: "True"}}},
		}},
		Template: template,
	}
	return m
}

// newLast is the Job of the last task. It has no index.
func newLast(j Job, template podTemplate) manifest {
	m := manifest{APIVersion: "batch/v1", Kind: "Job", Metadata: metadata{Name: j.name() + "-table"}}
	m.Spec = jobSpec{Suspend: true, Completions: 1, Parallelism: 1, Template: template}
	return m
}

func newTemplate(j Job, p Pod, claim string) podTemplate {
	// The index counts from 0; a pod without one is the last task.
	script := "set -eu\nprogram=" + j.Program + "\nresults=" + j.Results + "\n" +
		"task=0\nif [ -n \"${JOB_COMPLETION_INDEX-}\" ]; then\n\ttask=$((JOB_COMPLETION_INDEX + 1))\nfi\n" +
		j.script() + "cat \"$results/" + j.table() + "\"\n"
	c := container{
		Name: "r2lmlbench", Image: text(p.Image),
		Command:      []text{"/bin/sh", "-c", verbatim(script), "r2lmlbench"},
		Resources:    resources{Requests: map[string]string{"cpu": strconv.Itoa(j.Workers)}},
		VolumeMounts: []volumeMount{{Name: "shared", MountPath: volumePath}},
	}
	for _, argument := range j.arguments() {
		c.Args = append(c.Args, verbatim(argument))
	}
	volumes := []volume{{Name: "shared", Claim: &claimSource{ClaimName: text(claim)}}}
	if p.Spec != nil {
		// The file alone, so that what the image has beside it can be seen.
		c.VolumeMounts = append(c.VolumeMounts, volumeMount{Name: "spec", MountPath: specFolder + "/" + specFile, SubPath: specFile})
		volumes = append(volumes, volume{Name: "spec", ConfigMap: &configSource{Name: j.specName()}})
	}
	return podTemplate{Spec: podSpec{RestartPolicy: "Never", SecurityContext: securityContext{FSGroup: group}, Containers: []container{c}, Volumes: volumes}}
}

// verbatim keeps Kubernetes from putting the values of variables into a text: it
// replaces $(NAME) and turns $$ into $.
func verbatim(s string) text { return text(strings.ReplaceAll(s, "$", "$$")) }
