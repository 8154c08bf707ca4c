package live_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"retrylab.example/web/live"
	"retrylab.example/web/live/conformance"
)

// contract is openapi.json, and what of it was seen.
type contract struct {
	t      *testing.T
	doc    map[string]any
	schema *jsonschema.Compiler
	mu     sync.Mutex
	seen   map[string]bool // "GET /v1/labs/{id} 200"
}

func readContract(t *testing.T) *contract {
	data, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := &contract{t: t, doc: doc.(map[string]any), schema: jsonschema.NewCompiler(), seen: map[string]bool{}}
	if err := c.schema.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return c
}

// at returns what is at a path of names, through references, and where it is as a JSON pointer.
func (c *contract) at(names ...string) (value map[string]any, pointer string) {
	value = c.doc
	for _, name := range names {
		next, _ := value[name].(map[string]any)
		pointer += "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
		if ref, is := next["$ref"].(string); is {
			pointer = strings.TrimPrefix(ref, "#")
			next, _ = c.at(strings.Split(pointer[1:], "/")...)
		}
		if value = next; value == nil {
			return nil, pointer
		}
	}
	return value, pointer
}

// path returns the pattern of a path, "" for one that is not described.
func (c *contract) path(path string) string {
	paths, _ := c.at("paths")
	for pattern := range paths {
		p, s := strings.Split(pattern, "/"), strings.Split(path, "/")
		if slices.EqualFunc(p, s, func(p, s string) bool { return p == s || strings.HasPrefix(p, "{") && s != "" }) {
			return pattern
		}
	}
	return ""
}

// told are the fields that a response must be described with.
var told = []string{
	"Retry-After", "RateLimit", "RateLimit-Policy", "Idempotent-Replayed", "Location", "Preference-Applied", "Allow", "Content-Language",
}

// check holds a response against what is written of it.
func (c *contract) check(method, path string, status int, header http.Header, body []byte) {
	pattern := c.path(path)
	op, _ := c.at("paths", pattern, strings.ToLower(method))
	if op == nil {
		if status != 404 && status != 405 && status != 431 && status != 413 {
			c.t.Errorf("%s %s is not described, and answered with %d", method, path, status)
		}
		return
	}
	name := fmt.Sprint(status)
	if _, is := op["responses"].(map[string]any)[name]; !is {
		name = "default"
	}
	response, pointer := c.at("paths", pattern, strings.ToLower(method), "responses", name)
	if response == nil {
		c.t.Errorf("%s %s: the status %d is not described: %.200s", method, pattern, status, body)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	media, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	c.seen[method+" "+pattern+" "+name] = true
	for _, field := range told {
		described, _ := response["headers"].(map[string]any)
		if header.Get(field) != "" && described[field] == nil {
			c.t.Errorf("%s %s %d: the field %s is not described", method, pattern, status, field)
		}
	}
	if method == "HEAD" || len(body) == 0 {
		return
	}
	contents, _ := response["content"].(map[string]any)
	if contents[media] == nil {
		c.t.Errorf("%s %s %d: the type %q is not described", method, pattern, status, media)
		return
	}
	c.seen[method+" "+pattern+" "+name+" "+media] = true
	if !strings.HasSuffix(media, "json") {
		return
	}
	schema, err := c.schema.Compile("openapi.json#" + pointer + "/content/" + strings.ReplaceAll(media, "/", "~1") + "/schema")
	if err != nil {
		c.t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		c.t.Errorf("%s %s %d: %v\n%s", method, pattern, status, err, body)
	}
	if members, _ := value.(map[string]any); media == "application/problem+json" {
		name, ours := strings.CutPrefix(fmt.Sprint(members["type"]), "/v1/openapi.json#/x-problems/")
		if known, _ := c.at("x-problems"); !ours || known[name] == nil {
			c.t.Errorf("%s %s %d: the type %v is not described", method, pattern, status, members["type"])
		}
	}
}

// recorder is a handler that shows each answer of another to the contract.
type recorder struct {
	http.Handler
	c *contract
}

func (r recorder) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	k := &keeper{ResponseWriter: w}
	defer func() {
		if k.status != 0 && (k.head.Get("Content-Length") == "" || k.head.Get("Content-Length") == fmt.Sprint(k.body.Len()) || q.Method == "HEAD") {
			r.c.check(q.Method, q.URL.Path, k.status, k.head, k.body.Bytes())
		}
	}()
	r.Handler.ServeHTTP(k, q)
}

// keeper is a ResponseWriter that keeps what is written.
type keeper struct {
	http.ResponseWriter
	status int
	head   http.Header
	body   bytes.Buffer
}

func (k *keeper) WriteHeader(status int) {
	if k.status == 0 {
		k.status, k.head = status, k.Header().Clone()
	}
	k.ResponseWriter.WriteHeader(status)
}

func (k *keeper) Write(p []byte) (int, error) {
	if k.status == 0 {
		k.WriteHeader(200)
	}
	if k.head.Get("Content-Type") != "text/event-stream" {
		k.body.Write(p)
	} else if k.body.Len() == 0 {
		k.body.WriteByte(p[0])
	}
	return k.ResponseWriter.Write(p)
}

func (k *keeper) Unwrap() http.ResponseWriter { return k.ResponseWriter }

// TestOpenAPI: what the handler answers is as openapi.json says, and everything that it says happens.
func TestOpenAPI(t *testing.T) {
	c := readContract(t)
	house := live.NewHouse(live.HouseConfig{MaxOwned: 100})
	server := httptest.NewServer(recorder{house, c})
	conformance.Run(t, &conformance.Home{URL: server.URL})
	server.Close() // and with it every answer has been seen
	c.everything(recorder{house, c})
	c.full()
	c.watched()
	paths, _ := c.at("paths")
	for pattern, item := range paths {
		for method, op := range item.(map[string]any) {
			if method == "parameters" {
				continue
			}
			for status := range op.(map[string]any)["responses"].(map[string]any) {
				response, _ := c.at("paths", pattern, method, "responses", status)
				name := strings.ToUpper(method) + " " + pattern + " " + status
				if !c.seen[name] {
					t.Errorf("%s is described and was not seen", name)
				}
				contents, _ := response["content"].(map[string]any)
				for media := range contents {
					if !c.seen[name+" "+media] && !strings.Contains(name, "default") {
						t.Errorf("%s as %s is described and was not seen", name, media)
					}
				}
			}
		}
	}
}

// everything asks every operation for every status that is written of it.
func (c *contract) everything(h http.Handler) {
	ask := func(method, path, body string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	made := ask("POST", "/v1/labs", `{"scenario":{}}`, "Content-Type", "application/json")
	var lab struct{ ID string }
	if err := json.Unmarshal(made.Body.Bytes(), &lab); err != nil || made.Code != 201 {
		c.t.Fatalf("no lab: %d %s", made.Code, made.Body)
	}
	ask("GET", "/v1/labs/"+lab.ID+"/work", "", "Prefer", "fault=none")
	paths, _ := c.at("paths")
	for pattern, item := range paths {
		path := func(id string) string {
			return strings.NewReplacer("{id}", id, "{number}", "1").Replace(pattern)
		}
		for method, op := range item.(map[string]any) {
			if method == "parameters" || pattern == "/v1/labs/{id}" && method == "delete" {
				continue
			}
			method = strings.ToUpper(method)
			ask(method, path(lab.ID), "", "Prefer", "fault=none")
			ask(method, path(lab.ID), "", "X-Other", strings.Repeat("x", 17<<10))
			ask(method, path(lab.ID), strings.Repeat("x", 65<<10))
			ask(method, path("AAAAAAAAAAAAAAAAAAAAAA"), "")
			ask(method, path(lab.ID), "{", "Content-Type", "application/json")
			ask(method, path(lab.ID)+"?after=x", "x", "Content-Type", "text/plain", "Prefer", "fault=", "If-Match", "é")
			for status := range op.(map[string]any)["responses"].(map[string]any) {
				switch status {
				case "default":
					status = "418"
				case "413", "431": // the house's own
					continue
				}
				for _, accept := range []string{"*/*", "application/problem+json"} {
					ask(method, path(lab.ID), "", "Prefer", "reply="+status, "Accept", accept, "Idempotency-Key", status+accept)
				}
			}
		}
	}
	for _, what := range []string{"X-Other", "", "AAAAAAAAAAAAAAAAAAAAAA"} {
		switch path := "/v1/labs/" + lab.ID; what {
		case "X-Other":
			ask("DELETE", path, "", what, strings.Repeat("x", 17<<10))
		case "":
			ask("DELETE", path, strings.Repeat("x", 65<<10))
		default:
			ask("DELETE", "/v1/labs/"+what, "")
		}
	}
	ask("DELETE", "/v1/labs/"+lab.ID, "")
}

// full asks houses that have no room.
func (c *contract) full() {
	for _, config := range []live.HouseConfig{{MaxOwned: 1}, {MaxLabs: 1}} {
		h := recorder{live.NewHouse(config), c}
		for range 2 {
			r := httptest.NewRequest("POST", "/v1/labs", nil)
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
}

// watched asks for two streams where one may be.
func (c *contract) watched() {
	house := live.NewHouse(live.HouseConfig{MaxWatchers: 1})
	server := httptest.NewServer(recorder{house, c})
	defer server.Close()
	res, err := http.Post(server.URL+"/v1/labs", "", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	res.Body.Close()
	for range 2 {
		r, err := http.NewRequestWithContext(c.t.Context(), "GET", server.URL+res.Header.Get("Location")+"/trace", nil)
		if err != nil {
			c.t.Fatal(err)
		}
		r.Header.Set("Accept", "text/event-stream")
		stream, err := http.DefaultClient.Do(r) // the first one's head is there, so it has its place
		if err != nil {
			c.t.Fatal(err)
		}
		defer stream.Body.Close()
	}
}

// TestEveryRouteIsDescribed: what a path answers, as its Allow says, is what is written of it.
func TestEveryRouteIsDescribed(t *testing.T) {
	c := readContract(t)
	h := live.NewHouse(live.HouseConfig{})
	paths, _ := c.at("paths")
	for pattern, item := range paths {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("OPTIONS", strings.NewReplacer("{id}", "x", "{number}", "1").Replace(pattern), nil))
		var methods []string
		for method := range item.(map[string]any) {
			if method != "parameters" {
				methods = append(methods, strings.ToUpper(method))
			}
		}
		slices.Sort(methods)
		if got := w.Header().Get("Allow"); got != strings.Join(methods, ", ") {
			t.Errorf("%s answers %s, and described are %s", pattern, got, strings.Join(methods, ", "))
		}
	}
	if got := live.Patterns(); len(got) != len(paths) {
		t.Errorf("%d paths are answered and %d described: %v", len(got), len(paths), got)
	}
}
