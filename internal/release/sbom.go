package main

import (
	"debug/buildinfo"
	"encoding/json"
	"strings"
)

// billOfMaterials lists the modules in a program, as go version -m does, in the
// format CycloneDX 1.6.
func billOfMaterials(info *buildinfo.BuildInfo, version string, modules []module) ([]byte, error) {
	licences := map[string][]string{}
	for _, m := range modules {
		licences[m.Path] = m.Licences
	}
	bill := cyclone{Format: "CycloneDX", Version: "1.6", Serial: 1}
	bill.Metadata.Component = component{Type: "application", Name: "r2lmlbench", Version: version, Licences: choices([]string{"MIT"})}
	std := strings.TrimPrefix(info.GoVersion, "go")
	bill.Components = []component{{Type: "library", Name: "std", Version: std, PURL: "pkg:golang/std@" + std, Licences: choices([]string{"BSD-3-Clause"})}}
	for _, dep := range info.Deps {
		bill.Components = append(bill.Components, component{
			Type: "library", Name: dep.Path, Version: dep.Version, PURL: "pkg:golang/" + dep.Path + "@" + dep.Version, Licences: choices(licences[dep.Path]),
		})
	}
	data, err := json.MarshalIndent(bill, "", "  ")
	return append(data, '\n'), err
}

type cyclone struct {
	Format   string `json:"bomFormat"`
	Version  string `json:"specVersion"`
	Serial   int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

type component struct {
	Type     string   `json:"type"`
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	PURL     string   `json:"purl,omitempty"`
	Licences []choice `json:"licenses"`
}

type choice struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

func choices(ids []string) []choice {
	list := make([]choice, len(ids))
	for i, id := range ids {
		list[i].Licence.ID = id
	}
	return list
}
