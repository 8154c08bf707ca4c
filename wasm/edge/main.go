//go:build js && wasm

// Command edge is the live partner on Cloudflare Workers: the Go program of one Durable Object, which stays alive
// between requests. worker/ holds the few lines of JavaScript around it; docs/adr/0007 says why it is laid out so.
package main

import (
	"log"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"retrylab.example/wasm/edge/bridge"
	"retrylab.example/web/live"
)

func main() {
	log.SetFlags(0)
	limit, err := live.ParseLimit(cloudflare.Getenv("LIMIT"), cloudflare.Getenv("WINDOW"))
	if err != nil {
		log.Fatalf("the variables LIMIT and WINDOW: %v", err)
	}
	h, err := live.New(live.Config{Limit: limit})
	if err != nil {
		log.Fatal(err)
	}
	// The binding is the object that workers itself puts its handlers into. One function for good: those made per
	// request would have to be released, or the program grows with each.
	binding := js.Global().Get("context").Get("binding")
	binding.Set("maxBody", live.MaxBody)
	binding.Set("handle", js.FuncOf(func(_ js.Value, args []js.Value) any {
		r, answer := request(args), args[4]
		go func() { // a callback must not block, and a handler may
			res := bridge.Serve(h, r)
			body := js.Global().Get("Uint8Array").New(len(res.Body))
			js.CopyBytesToJS(body, res.Body)
			answer.Invoke(res.Status, array(res.Header), body)
		}()
		return nil
	}))
	workers.Ready()
	select {}
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

func array(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
