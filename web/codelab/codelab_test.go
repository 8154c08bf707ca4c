package codelab

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab.example/core/codelab"
)

// node starts an engine for a test.
func node(t testing.TB) *Node {
	t.Helper()
	n, err := New("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func find(t testing.TB, name string) codelab.Function {
	t.Helper()
	f, ok := codelab.Find(name)
	if !ok {
		t.Fatalf("there is no function %s", name)
	}
	return f
}

func grade(t testing.TB, n *Node, name, source string) codelab.Verdict {
	t.Helper()
	f := find(t, name)
	v, err := f.Grade(codelab.Program{Source: source}, n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const right = `
def remaining(deadline, now):
    return max(deadline - now, 0)
`

// TestBombs: whatever a program does, there is an answer within three seconds that says what it was, and the next run
// works.
func TestBombs(t *testing.T) {
	n := node(t)
	grade(t, n, "remaining", right) // the engine is started
	for _, c := range []struct {
		name, body string
		code       codelab.Code
		says       string
	}{
		{"endless loop", "while True: pass", codelab.TooLong, ""},
		{"endless loop that catches", "while True:\n        try: 1/0\n        except: pass", codelab.TooLong, ""},
		{"great power", "return 10 ** 10 ** 8", codelab.TooLong, ""},
		{"deep recursion", "return remaining(deadline, now)", codelab.TooDeep, ""},
		{"strings without end", "a = []\n    while True: a.append('a' * 1000000)", codelab.TooMuchMemory, ""},
		{"lists without end", "a = []\n    a = [1]\n    while True: a += a", codelab.TooMuchMemory, ""},
		{"one great string", "return 'a' * 10 ** 9", codelab.TooMuchMemory, ""},
		{"10 MB of output", "for i in range(10 ** 6): print('0123456789')", codelab.TooMuchOutput, ""},
		{"sleep", "import time\n    time.sleep(1)", codelab.RealTime, "time.sleep"},
		{"clock", "from time import monotonic\n    return 0", codelab.RealTime, "time.monotonic"},
		{"JavaScript", "import js", codelab.NoModule, "js"},
		{"JavaScript by its other door", "import jsffi", codelab.NoModule, "jsffi"},
		{"caught import", "try:\n        import os\n    except Exception: pass", codelab.NoModule, "os"},
		{"import by a function", "return __import__('os').listdir('/')", codelab.NoModule, "os"},
		{"import of before", "return print.__globals__['builtins'].__import__('js')", codelab.Raised, "builtins"},
		{"import of now", "return print.__globals__['learners_import']('js')", codelab.NoModule, "js"},
		{"module of the engine", "return print.__globals__['sys'].modules['js']", codelab.Raised, "js"},
		{"file", "return open('/etc/passwd')", codelab.NoFunction, "open"},
		{"dataclasses", "import dataclasses", codelab.NoModule, "dataclasses"},
		{"a line that is not closed", "return (", codelab.Syntax, "invalid syntax"},
		{"match", "match now:\n        case 1: pass", codelab.Syntax, "invalid syntax"},
		{"exit", "raise SystemExit", codelab.Raised, ""},
	} {
		start := time.Now()
		v := grade(t, n, "remaining", "def remaining(deadline, now):\n    "+c.body+"\n")
		took := time.Since(start)
		if v.Code != c.code || !strings.Contains(v.Name+v.Text, c.says) {
			t.Errorf("%s: got %s %q %q, want %s %q", c.name, v.Code, v.Name, v.Text, c.code, c.says)
		}
		t.Logf("%s: %s after %s", c.name, v.Code, took)
		if took > 3*time.Second {
			t.Errorf("%s: it took %s, at most 3 s are allowed", c.name, took)
		}
		if v := grade(t, n, "remaining", right); !v.Passed() {
			t.Errorf("%s: the next run got %s", c.name, v.Code)
		}
	}
}

func TestNotDefined(t *testing.T) {
	n := node(t)
	for source, want := range map[string]codelab.Code{
		"":                        codelab.NotDefined,
		"remaining = 3":           codelab.NotDefined,
		"x = nothing\n":           codelab.LoadRaised,
		"def other(): pass":       codelab.NotDefined,
		"import typing\n" + right: codelab.Passed,
		"from typing import Optional\nx: Optional[int] = None\n" + right: codelab.Passed,
		"import math, re, collections, functools, itertools\n" + right:   codelab.Passed,
	} {
		if v := grade(t, n, "remaining", source); v.Code != want {
			t.Errorf("%q: got %s %s, want %s", source, v.Code, v.Text, want)
		}
	}
}

// TestWorldIsShut: what leads out of the worker is gone, even for a program that has found a way to its JavaScript.
func TestWorldIsShut(t *testing.T) {
	n := node(t)
	harness := filepath.Join(n.dir, filepath.Base(HarnessFile))
	text, err := os.ReadFile(harness)
	if err != nil {
		t.Fatal(err)
	}
	opened := strings.Replace(string(text), `MODULES = (`, `MODULES = ("js", `, 1)
	if err := os.WriteFile(harness, []byte(opened), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"process", "fetch", "require", "WebSocket", "Buffer", "navigator", "XMLHttpRequest", "loadMicroPython"} {
		v := grade(t, n, "remaining", "import js\ndef remaining(deadline, now):\n    raise ValueError(str(js."+name+"))\n")
		if v.Text != "module 'js' has no attribute '"+name+"'" {
			t.Errorf("js.%s is there: %s %q", name, v.Code, v.Text)
		}
	}
	for _, code := range []string{`js.Function("return 1")`, `js.eval("1")`, `js.Object.constructor("return 1")`} {
		v := grade(t, n, "remaining", "import js\ndef remaining(deadline, now):\n    return "+code+"\n")
		if v.Code != codelab.Crashed { // the exception is JavaScript's, and ends the worker
			t.Errorf("%s: got %s %q", code, v.Code, v.Text)
		}
	}
}

// TestMissing: a machine without Node, or without MicroPython, is told what is missing.
func TestMissing(t *testing.T) {
	if _, err := New(t.TempDir()); !errors.Is(err, ErrNoPython) {
		t.Errorf("without MicroPython: got %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := New("../.."); !errors.Is(err, ErrNoNode) {
		t.Errorf("without Node: got %v", err)
	}
}

func TestPermissions(t *testing.T) {
	for version, want := range map[string]string{
		"v18.19.0\n": "", "v20.20.2\n": "--experimental-permission --allow-fs-read=/a/*", "v24.1.0\n": "--permission --allow-fs-read=/a/*",
	} {
		got, err := permissionsOf(version, "/a")
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, %v; want %s", version, got, err, want)
		}
	}
	for _, version := range []string{"v16.20.0\n", "nonsense", ""} {
		if _, err := permissionsOf(version); !errors.Is(err, ErrOld) {
			t.Errorf("%q: got %v", version, err)
		}
	}
}

// TestWithoutPermissions: an older Node, which knows none, runs programs too, and keeps them in.
func TestWithoutPermissions(t *testing.T) {
	n := node(t)
	n.command = slices.DeleteFunc(n.command, func(arg string) bool {
		return strings.Contains(arg, "permission") || strings.HasPrefix(arg, "--allow-fs")
	})
	if v := grade(t, n, "remaining", right); !v.Passed() {
		t.Errorf("got %s", v.Code)
	}
	if v := grade(t, n, "remaining", "import os\n"+right); v.Code != codelab.NoModule {
		t.Errorf("import os: got %s", v.Code)
	}
}
