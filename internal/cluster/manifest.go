package cluster

import (
	"regexp"

	"gopkg.in/yaml.v3"
)

//go:generate go run kubernetes_schema.go

// The parts of the objects of Kubernetes that a manifest needs, by the names of
// its API: Job (batch/v1), PersistentVolumeClaim and ConfigMap (v1).

type manifest struct {
	APIVersion string          `yaml:"apiVersion"`
	Kind       string          `yaml:"kind"`
	Metadata   metadata        `yaml:"metadata"`
	Spec       any             `yaml:"spec,omitempty"`
	Data       map[string]text `yaml:"data,omitempty"`
}

type metadata struct {
	Name string `yaml:"name"`
}

type claimSpec struct {
	AccessModes []string  `yaml:"accessModes"`
	Resources   resources `yaml:"resources"`
}

type resources struct {
	Requests map[string]string `yaml:"requests"`
}

type jobSpec struct {
	Suspend              bool           `yaml:"suspend,omitempty"`
	CompletionMode       string         `yaml:"completionMode,omitempty"`
	Completions          int            `yaml:"completions"`
	Parallelism          int            `yaml:"parallelism"`
	BackoffLimitPerIndex int            `yaml:"backoffLimitPerIndex,omitempty"`
	PodFailurePolicy     *failurePolicy `yaml:"podFailurePolicy,omitempty"`
	Template             podTemplate    `yaml:"template"`
}

type failurePolicy struct {
	Rules []failureRule `yaml:"rules"`
}

type failureRule struct {
	Action          string         `yaml:"action"`
	OnExitCodes     *exitCodes     `yaml:"onExitCodes,omitempty"`
	OnPodConditions []podCondition `yaml:"onPodConditions,omitempty"`
}

type exitCodes struct {
	Operator string `yaml:"operator"`
	Values   []int  `yaml:"values,flow"`
}

type podCondition struct {
	Type   string `yaml:"type"`
	Status string `yaml:"status"`
}

type podTemplate struct {
	Spec podSpec `yaml:"spec"`
}

type podSpec struct {
	RestartPolicy   string          `yaml:"restartPolicy"`
	SecurityContext securityContext `yaml:"securityContext"`
	Containers      []container     `yaml:"containers"`
	Volumes         []volume        `yaml:"volumes"`
}

type securityContext struct {
	FSGroup int `yaml:"fsGroup"`
}

type container struct {
	Name         string        `yaml:"name"`
	Image        text          `yaml:"image"`
	Command      []text        `yaml:"command"`
	Args         []text        `yaml:"args"`
	Resources    resources     `yaml:"resources"`
	VolumeMounts []volumeMount `yaml:"volumeMounts"`
}

type volumeMount struct {
	Name      string `yaml:"name"`
	MountPath string `yaml:"mountPath"`
	SubPath   string `yaml:"subPath,omitempty"`
}

type volume struct {
	Name      string        `yaml:"name"`
	Claim     *claimSource  `yaml:"persistentVolumeClaim,omitempty"`
	ConfigMap *configSource `yaml:"configMap,omitempty"`
}

type claimSource struct {
	ClaimName text `yaml:"claimName"`
}

type configSource struct {
	Name string `yaml:"name"`
}

// A text is any string of the user's. Where it starts or ends in white space it
// is quoted, since the block style of the encoder loses that.
type text string

var blockText = regexp.MustCompile(`(?s)^[[:graph:]](.*[[:graph:]])?\n?$`)

// MarshalYAML implements yaml.Marshaler.
func (t text) MarshalYAML() (any, error) {
	if blockText.MatchString(string(t)) {
		return string(t), nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(t), Style: yaml.DoubleQuotedStyle}, nil
}
