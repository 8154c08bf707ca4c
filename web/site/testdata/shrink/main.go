// Command shrink does what depends on the runtime's tables: it grows stacks, collects garbage while deep calls hold it,
// recovers from panics of all kinds, tells who has called, and ends by a panic.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

type node struct {
	left, right *node
	name        string
}

// grow holds trees on a deep stack while garbage is collected.
func grow(depth int) *node {
	if depth == 0 {
		runtime.GC()
		return &node{name: "leaf"}
	}
	var pad [16]string
	pad[depth%16] = fmt.Sprint("node ", depth)
	n := &node{name: pad[depth%16]}
	n.left = grow(depth - 1)
	if depth%64 == 0 {
		runtime.GC()
	}
	n.right = &node{name: strings.Clone(pad[depth%16])}
	return n
}

func (n *node) sum() (sum int) {
	if n == nil {
		return 0
	}
	return len(n.name) + n.left.sum() + n.right.sum()
}

// attempt says what f panicked with.
func attempt(f func()) (what string) {
	defer func() {
		r := recover()
		if err, ok := r.(runtime.Error); ok {
			r = err.Error()
		}
		what = fmt.Sprint(r)
	}()
	f()
	return "nothing"
}

type recoverer struct{ got any }

func (r *recoverer) Recover() { r.got = recover() }

func throughWrapper() any {
	var r interface{ Recover() } = &recoverer{}
	func() {
		defer r.Recover()
		panic("wrapped")
	}()
	return r.(*recoverer).got
}

func caller() string {
	pc := make([]uintptr, 8)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	var names []string
	for {
		f, more := frames.Next()
		names = append(names, f.Function)
		if !more {
			return strings.Join(names, " < ")
		}
	}
}

func main() {
	fmt.Println(grow(2000).sum())
	var list []int
	var table map[string]int
	var none *node
	zero := len(list)
	for _, f := range []func(){
		func() {}, func() { list[zero]++ }, func() { table["a"] = 1 }, func() { none.name = "x" }, func() { _ = 1 / zero },
		func() { panic(errors.New("own")) }, func() { _ = any(none).(fmt.Stringer) }, func() { _ = list[1:zero] },
	} {
		fmt.Println(attempt(f))
	}
	fmt.Println(throughWrapper())
	fmt.Println(caller())
	var wait sync.WaitGroup
	results := make(chan int, 50)
	for i := range 50 {
		wait.Go(func() { results <- grow(i * 10).sum() })
	}
	wait.Wait()
	close(results)
	total := 0
	for r := range results {
		total += r
	}
	fmt.Println(total)
	deep(3)
}

func deep(n int) {
	if n == 0 {
		panic("the end")
	}
	deep(n - 1)
}
