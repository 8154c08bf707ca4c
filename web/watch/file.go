package watch

import (
	"errors"
	"io"
	"os"
	"time"

	"retrylab.example/core/document"
	"retrylab.example/core/lesson"
	"retrylab.example/wasm/catalog"
)

// file is one lesson file: how it was seen last, and its last version without faults.
type file struct {
	name string

	stamp   stamp
	seen    string          // the digest of what was read last; empty while the file is missing
	since   time.Time       // when that was first seen
	pending document.Faults // its faults, which are told when the file has been quiet

	good     []byte // nil until there is a version without faults
	entry    catalog.Entry
	id       *document.Node  // where it says its id
	faults   document.Faults // those that are told
	unproven document.Faults // what the proof of the good version found

	reading *lesson.Reading // of the good version, while it is not proven yet
	proven  int             // how many steps are done
	found   document.Faults // what their proof found
}

// stamp is what tells cheaply that a file was not written since.
type stamp struct {
	written time.Time
	size    int64
}

// recent is how long after a write a file is read again at each look: two writes in one tick of the file system's clock
// have the same stamp.
const recent = 2 * time.Second

// look reads the file if it may have changed. A version without faults is taken at once, since half a file has some;
// faults are told when the file has been quiet.
func (f *file) look(root *os.Root, now time.Time) {
	data, fault := f.read(root, now)
	if data != nil || fault != nil {
		f.judge(data, fault, now)
	}
	if f.pending != nil && now.Sub(f.since) >= quiet {
		f.faults, f.pending = f.pending, nil
	}
}

// read returns what the file holds, or why it cannot be read; neither if it is as it was.
func (f *file) read(root *os.Root, now time.Time) ([]byte, *document.Fault) {
	info, err := root.Stat(f.name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file") // a pipe would let the reader wait for ever
	}
	if err != nil {
		return nil, f.unreadable(err)
	}
	s := stamp{info.ModTime(), info.Size()}
	if s == f.stamp && f.seen != "" && now.Sub(s.written) > recent {
		return nil, nil
	}
	opened, err := root.Open(f.name)
	if err != nil {
		return nil, f.unreadable(err)
	}
	defer opened.Close()
	data, err := io.ReadAll(io.LimitReader(opened, document.MaxBytes+1))
	if err != nil {
		return nil, f.unreadable(err)
	}
	f.stamp = s
	return data, nil
}

func (f *file) unreadable(err error) *document.Fault {
	fault := document.NewFault(f.name, "put a file of your own there; a link out of the folder is not followed",
		"the file cannot be read: %s", err.Error())
	return &fault
}

func (f *file) judge(data []byte, fault *document.Fault, now time.Time) {
	seen := "read " + digest(data)
	if fault != nil {
		seen = fault.Problem
	}
	if seen == f.seen {
		return
	}
	f.seen, f.since = seen, now
	if fault != nil {
		f.pending = document.Faults{*fault}
		return
	}
	r := lesson.Inspect(f.name, data)
	if faults := r.Faults(); len(faults) > 0 {
		f.pending = faults
		return
	}
	f.good, f.faults, f.pending = data, nil, nil
	f.entry = catalog.Of(f.name, &r.Lesson)
	f.entry.Version = digest(data)
	f.id = r.Root.Find("/id")
	f.reading, f.proven, f.found = r, 0, nil
}

// sameID says that another file has the lesson's id.
func (f *file) sameID(other string) document.Fault {
	return f.id.FaultHere("give each lesson an id of its own", "the lesson in %s has this id too", other)
}

// missing notes that the file is not there; it reports whether it has been gone for long enough to be forgotten: some
// editors remove a file before they write it anew.
func (f *file) missing(now time.Time) bool {
	if f.seen != "" {
		f.seen, f.since, f.stamp, f.pending = "", now, stamp{}, nil
	}
	return now.Sub(f.since) >= quiet
}

// proveStep proves the next step; it reports whether the lesson's proof is complete.
func (f *file) proveStep() bool {
	if f.proven < len(f.reading.Lesson.Steps) {
		f.found = append(f.found, f.reading.Prove(f.proven).Faults...)
		f.proven++
		return false
	}
	f.unproven, f.reading, f.found = f.found, nil, nil
	return true
}
