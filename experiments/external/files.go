package external

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/files"
	"r2lmlbench/results"
)

// The files of a fit: inputs and outputs of the program.
const (
	trainFile       = "train.csv"
	validationFile  = "validation.csv"
	queryFile       = "query.csv"
	paramsFile      = "params.json"
	predictionsFile = "predictions.csv"
	environmentFile = "environment.json" // optional output
)

// A handout is the content of params.json.
type handout struct {
	Phase     method.Phase   `json:"phase"`
	Seed      uint64         `json:"seed"`
	Neighbors int            `json:"neighbors"`
	Classes   int            `json:"classes"` // labels are 1 to Classes
	Features  int            `json:"features"`
	Params    results.Params `json:"params"` // the program's own
}

// handOver writes the inputs of a fit into dir.
func (e External) handOver(dir string, p method.Problem) error {
	_, features := p.X.Dims()
	h := handout{
		Phase: p.Phase, Seed: p.Seed, Neighbors: p.Neighbors,
		Classes: p.Classes(), Features: features, Params: e.Own,
	}
	b, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(
		writeSamples(filepath.Join(dir, trainFile), features, true, datasets.Samples{X: p.X, Y: p.Y}),
		writeSamples(filepath.Join(dir, validationFile), features, true, p.Validation),
		writeSamples(filepath.Join(dir, queryFile), features, false, datasets.Samples{X: p.Query}),
		os.WriteFile(filepath.Join(dir, paramsFile), append(b, '\n'), 0o666),
	)
}

// writeSamples writes a CSV file with a header and one sample per line, after its label if
// labelled. Numbers have the shortest form that parses to the same float64.
func writeSamples(path string, features int, labelled bool, s datasets.Samples) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	var line []byte
	if labelled {
		line = append(line, "label,"...)
	}
	for d := range features {
		line = fmt.Appendf(line, "x%d,", d+1)
	}
	rows := 0
	if s.X != nil {
		rows, _ = s.X.Dims()
	}
	for i := range rows {
		line[len(line)-1] = '\n'
		w.Write(line)
		line = line[:0]
		if labelled {
			line = append(strconv.AppendInt(line, int64(s.Y[i]), 10), ',')
		}
		for _, v := range s.X.RawRowView(i) {
			line = append(strconv.AppendFloat(line, v, 'g', -1, 64), ',')
		}
	}
	line[len(line)-1] = '\n'
	w.Write(line)
	return w.Flush()
}

// readPredictions reads the labels that a program wrote in dir.
func readPredictions(dir string, samples, classes int) ([]int, error) {
	f, _, err := files.OpenNoFollow(filepath.Join(dir, predictionsFile))
	switch err = irregular(err); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("it left no %s in its directory", predictionsFile)
	case errors.Is(err, errIrregular):
		return nil, fmt.Errorf("its %s is %w", predictionsFile, err)
	case err != nil:
		return nil, fmt.Errorf("its %s cannot be read: %w", predictionsFile, anonymous(err))
	}
	defer f.Close()
	n := Notation{Classes: classes}
	b, err := io.ReadAll(io.LimitReader(f, n.Bytes(samples)+1))
	if err != nil {
		return nil, fmt.Errorf("its %s cannot be read: %w", predictionsFile, anonymous(err))
	}
	return ReadLabels(files.Context(), predictionsFile, b, samples, n)
}

// errIrregular is wrapped by errors about files that are not regular.
var errIrregular = errors.New("no regular file")

// irregular names the kind of a file in a files.KindError. It returns other errors unchanged.
func irregular(err error) error {
	if kind, ok := errors.AsType[*files.KindError](err); ok {
		return fmt.Errorf("%w but %s", errIrregular, files.Kind(kind.Mode))
	}
	return err
}
