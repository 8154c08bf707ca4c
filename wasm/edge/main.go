//go:build js && wasm

// Command edge is the live partner on Cloudflare Workers: the Go program of one Durable Object, which stays alive
// between requests. worker/ holds the few lines of JavaScript around it; docs/adr/0007 says why it is laid out so.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"retrylab.example/wasm/edge/bridge"
	"retrylab.example/wasm/edge/object"
	"retrylab.example/web/live"
)

func main() {
	log.SetFlags(0)
	h := newHost(cloudflare.GetBinding("OBJECT"))
	store, err := object.New(h, h)
	if err != nil {
		log.Fatal(err)
	}
	owned, err := number("LABS_PER_ADDRESS")
	if err != nil {
		log.Fatal(err)
	}
	all, err := number("LABS")
	if err != nil {
		log.Fatal(err)
	}
	house := live.NewHouse(live.HouseConfig{
		Store: store, NewID: h.newID, MaxLabs: all, MaxOwned: owned, MaxLoaded: 8, // of 128 MB
	})
	// The binding is the object that workers itself puts its handlers into. One function each for good: those made per
	// request would have to be released, or the program grows with each.
	binding := js.Global().Get("context").Get("binding")
	binding.Set("maxBody", live.MaxBody)
	serve(binding, house)
	answer(binding, "create", func(ctx context.Context, row string) (string, error) {
		return "", store.Made(ctx, []byte(row))
	})
	answer(binding, "expires", func(ctx context.Context, _ string) (string, error) {
		at, err := store.Expires(ctx)
		return strconv.FormatInt(at, 10), err
	})
	answer(binding, "forget", func(ctx context.Context, id string) (string, error) {
		return "", store.Forget(ctx, id)
	})
	answer(binding, "expire", func(ctx context.Context, _ string) (string, error) {
		if err := house.Expire(ctx); err != nil {
			return "", err
		}
		if empty, err := store.Rest(ctx); err != nil || empty {
			return "empty", err
		}
		return "", nil
	})
	workers.Ready()
	select {}
}

// number reads a variable of the Worker.
func number(name string) (int, error) {
	text := cloudflare.Getenv(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("the variable %s is %q; it must be a whole number of at least 1", name, text)
	}
	return n, nil
}

// serve sets what worker/gohost.mjs calls for each request, and when a client has gone before it had its answer.
func serve(binding js.Value, house *live.House) {
	leave := map[int]context.CancelFunc{}
	binding.Set("handle", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, r, s := args[0].Int(), request(args[1:5]), sink{args[5]}
		ctx, cancel := context.WithCancel(context.Background())
		leave[id] = cancel
		go func() { // a callback must not block, and a handler may
			panicked := bridge.Serve(ctx, house, r, s)
			cancel()
			delete(leave, id)
			if panicked != nil {
				os.Exit(2) // what the handler guards may be broken; the next program reads it anew
			}
		}()
		return nil
	}))
	binding.Set("gone", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if cancel, ok := leave[args[0].Int()]; ok {
			cancel()
		}
		return nil
	}))
}

// answer sets what the JavaScript calls with a text and a function that takes an error's text, or none, and an answer.
func answer(binding js.Value, name string, f func(context.Context, string) (string, error)) {
	binding.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, done := args[0].String(), args[1]
		go func() {
			out, err := f(context.Background(), text)
			if err != nil {
				log.Printf("%s: %v", name, err)
				done.Invoke(err.Error(), "")
				return
			}
			done.Invoke("", out)
		}()
		return nil
	}))
}

// request reads what the host gives: method, URL, names and values of header fields in turn, body or null.
func request(args []js.Value) bridge.Request {
	r := bridge.Request{Method: args[0].String(), URL: args[1].String(), Header: make([]string, args[2].Length())}
	for i := range r.Header {
		r.Header[i] = args[2].Index(i).String()
	}
	if !args[3].IsNull() {
		r.Body = make([]byte, args[3].Length())
		js.CopyBytesToGo(r.Body, args[3])
	}
	return r
}

// sink is the Sink of worker/gohost.mjs.
type sink struct{ js.Value }

func (s sink) Full(status int, header []string, body []byte) {
	s.Call("full", status, array(header), bytesToJS(body))
}

func (s sink) Head(status int, header []string) { s.Call("head", status, array(header)) }
func (s sink) Chunk(p []byte) bool              { return s.Call("chunk", bytesToJS(p)).Bool() }
func (s sink) End()                             { s.Call("end") }
func (s sink) Cut()                             { s.Call("cut") }

func array(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
