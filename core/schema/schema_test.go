package schema

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"retrylab.example/core/lesson"
)

var update = flag.Bool("update", false, "rewrite what is made from the table")

const schemaFile = "../../lessons/lesson.schema.json"

func TestSchemaFileIsTheTable(t *testing.T) {
	want := JSON()
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("lessons/lesson.schema.json is not what the table says, %v; write it with -update", err)
	}
}

func TestSamplesRead(t *testing.T) {
	for _, sample := range Samples("lesson") {
		for _, f := range lesson.Inspect("sample.json", []byte(sample)).Faults() {
			t.Error(f)
		}
	}
}
