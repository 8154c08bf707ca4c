// Package codelab runs the Python of learners in Node, for the command line and for tests. The engine, the worker script
// and the harness are those of the browser, so a verdict is the same here and there.
//
// A program gets no file, no network and no other process: Node is started with permissions to read the engine and
// nothing else, without an environment, and the worker takes away what JavaScript could reach. A program that does not
// end is ended with its process.
package codelab

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrylab.example/wasm/batch"
)

// Engine holds the worker script and the harness.
//
//go:embed engine
var Engine embed.FS

// The files of Engine.
const (
	WorkerFile  = "engine/worker.mjs"
	HarnessFile = "engine/harness.py"
)

// PackageName is MicroPython's at npm, Package where npm puts it below a checkout, and Glue its script.
const (
	PackageName = "@micropython/micropython-webassembly-pyscript"
	Package     = "web/npm/node_modules/" + PackageName
	Glue        = "micropython.mjs"
)

// startLimit is how long the engine may take to start, on a busy machine.
const startLimit = 30 * time.Second

// Errors of a machine that cannot run code.
var (
	ErrNoNode   = errors.New("code steps need Node 18 or newer, and there is no node; install it from your system's packages")
	ErrOld      = errors.New("code steps need Node 18 or newer, and node is older; install a newer one")
	ErrNoPython = errors.New("code steps need MicroPython, which is not installed; run make npm in the checkout")
)

// Node runs batches in a child process, which is started when it is needed and again after each program that had to be
// ended. It is for one goroutine. Close ends it.
type Node struct {
	batch.Runner
	command []string
	dir     string // of the engine's files, removed by Close
}

// New finds Node, and MicroPython below the root of a checkout.
func New(root string) (*Node, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, ErrNoNode
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("node --version: %w", err)
	}
	python, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(Package)))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(python, Glue)); err != nil {
		return nil, ErrNoPython
	}
	dir, err := unpack()
	if err != nil {
		return nil, err
	}
	permissions, err := permissionsOf(string(version), dir, python)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	glue := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(python, Glue))}
	n := &Node{dir: dir, command: append(append([]string{node}, permissions...),
		"--disallow-code-generation-from-strings", "--no-warnings", "--max-old-space-size=256",
		filepath.Join(dir, filepath.Base(WorkerFile)), glue.String(), filepath.Join(dir, filepath.Base(HarnessFile)),
	)}
	n.Start = func() (batch.Engine, error) { return start(n.command) }
	return n, nil
}

// permissionsOf gives the arguments by which a version of Node may read two folders and nothing else. Versions 18 and 19
// know no permissions; there the worker alone keeps programs in.
func permissionsOf(version string, dirs ...string) ([]string, error) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), ".")
	major, err := strconv.Atoi(version)
	var args []string
	switch {
	case err != nil || major < 18:
		return nil, ErrOld
	case major < 20:
		return nil, nil
	case major < 24:
		args = []string{"--experimental-permission"}
	default:
		args = []string{"--permission"}
	}
	for _, dir := range dirs {
		args = append(args, "--allow-fs-read="+filepath.Join(dir, "*"))
	}
	return args, nil
}

// unpack writes the engine's files where Node can read them.
func unpack() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "retrylab-code-"); err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // Node asks for permission by the real path
		return "", err
	}
	for _, name := range [...]string{WorkerFile, HarnessFile} {
		data, err := fs.ReadFile(Engine, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600)
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}

// Close ends the process and removes the engine's files.
func (n *Node) Close() error {
	n.Stop()
	return os.RemoveAll(n.dir)
}

// child is a running Node.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte // closed when it has ended
}

// maxLine is more than the harness writes on one case.
const maxLine = 4 << 20

func start(command []string) (batch.Engine, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = []string{}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var told strings.Builder
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("node does not start: %w", err)
	}
	c := &child{cmd: cmd, in: in, lines: make(chan []byte, 64)}
	go c.read(out)
	select {
	case line := <-c.lines:
		if string(line) == "ready" {
			return c, nil
		}
	case <-time.After(startLimit):
	}
	c.End()
	return nil, fmt.Errorf("the Python engine does not start in Node: %s", firstLine(told.String()))
}

func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if strings.Contains(line, "rror") {
			return strings.TrimSpace(line)
		}
	}
	return "it gives no reason"
}

func (c *child) read(out io.Reader) {
	defer close(c.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		c.lines <- append([]byte(nil), s.Bytes()...)
	}
}

// Lines are what it answers.
func (c *child) Lines() <-chan []byte { return c.lines }

// Send writes a batch. The harness reads all of it before it runs anything, so the writing does not wait for a program.
func (c *child) Send(request []byte) error {
	_, err := c.in.Write(append(request, '\n'))
	return err
}

// End kills it.
func (c *child) End() {
	c.cmd.Process.Kill()
	for range c.lines { // until it is closed, so that nobody is left waiting
	}
	c.cmd.Wait() // killed, so it has an error
}
