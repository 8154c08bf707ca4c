package site

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestShrinkChangesNothing runs a program that leans on the runtime's tables, before and after shrinking: it prints the
// same, and its last trace names the same functions.
func TestShrinkChangesNothing(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("%v: .ci/install installs it", err)
	}
	dir := t.TempDir()
	whole := linkedProgram(t, filepath.Join(dir, "whole.wasm"))
	small, err := shrink(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shrink(small); err == nil {
		t.Error("a program was shrunk twice")
	}
	if err := os.WriteFile(filepath.Join(dir, "small.wasm"), small, 0o600); err != nil {
		t.Fatal(err)
	}
	wantSaid, wantTrace := runProgram(t, node, filepath.Join(dir, "whole.wasm"))
	said, trace := runProgram(t, node, filepath.Join(dir, "small.wasm"))
	if said != wantSaid {
		t.Errorf("the shrunk program says\n%s\nwant\n%s", said, wantSaid)
	}
	if !slices.Equal(trace, wantTrace) || len(trace) < 5 {
		t.Errorf("the trace of the shrunk program names\n%s\nwant\n%s", strings.Join(trace, "\n"), strings.Join(wantTrace, "\n"))
	}
}

func linkedProgram(t *testing.T, out string) []byte {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./testdata/shrink")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// named finds the functions of a trace: their lines end with arguments, or with who has made the goroutine.
var named = regexp.MustCompile(`(?m)^(?:created by )?([\w./*()·-]+)\(`)

// runProgram returns what a program says before it panics, and the functions that the trace of the panic names.
func runProgram(t *testing.T, node, program string) (said string, trace []string) {
	t.Helper()
	goroot, err := goroot()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(node, "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), program)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("the program ends with %v, want a panic\n%s", err, stderr.Bytes())
	}
	_, last, found := strings.Cut(stderr.String(), "panic: the end")
	if !found {
		t.Fatalf("the program does not end as it should:\n%s", stderr.Bytes())
	}
	for _, m := range named.FindAllStringSubmatch(last, -1) {
		trace = append(trace, m[1])
	}
	return string(out), trace
}

// TestShrinkKnowsWhatItShrinks gives it what is no program of this Go.
func TestShrinkKnowsWhatItShrinks(t *testing.T) {
	data := func(body ...byte) string { return wasmHeader + "\x0b" + string(rune(len(body))) + string(body) }
	for name, program := range map[string]string{
		"empty":           "",
		"a text":          "hello",
		"no data":         wasmHeader,
		"cut":             wasmHeader + "\x0b\x05\x01",
		"no tables":       data(1, 0, 0x41, 8, 0x0b, 1, 9),
		"huge":            data(1, 0, 0x41, 0xff, 0xff, 0xff, 0x3f, 0x0b, 1, 9),
		"another kind":    data(1, 1, 1, 9),
		"no end":          data(1, 0, 0x41, 8, 0x0c, 1, 9),
		"a head alone":    data(append([]byte{1, 0, 0x41, 8, 0x0b, 80}, append(bytes.Clone(tableMagic), make([]byte, 72)...)...)...),
		"endless numbers": wasmHeader + "\x0b\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		if _, err := shrink([]byte(program)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
