package cluster

import (
	"fmt"
	"regexp"
	"strings"
)

// A Pod says what a Job runs in on Kubernetes.
type Pod struct {
	Image string // with /bin/sh, and with r2lmlbench in its PATH; visible ASCII characters
	Claim string // volume claim for data and results, a DNS subdomain; empty: one is made
	Spec  []byte // content of the spec, mounted as a file; nil: the name of an embedded one is enough
}

// Image is the name of the image that the Dockerfile of the repository makes.
const Image = "r2lmlbench:0.2.0"

// Places inside the containers. The results of a spec go below the volume.
const (
	volumePath = "/r2lmlbench"
	specFolder = "/spec"
)

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
	if p.Spec != nil {
		j.Spec = specFolder + "/spec.yaml"
	}
	script, err := execute("pod.sh", j)
	if err != nil {
		return "", err
	}
	return execute("kubernetes.yaml", struct {
		Job
		Pod                        Pod
		PodScript, Volume, Content string
	}{j, p, verbatim(script), volumePath, string(p.Spec)})
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

// verbatim keeps Kubernetes from putting the values of variables into a text: it
// replaces $(NAME) and turns $$ into $.
func verbatim(s string) string { return strings.ReplaceAll(s, "$", "$$") }
