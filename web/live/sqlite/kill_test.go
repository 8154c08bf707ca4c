package sqlite

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"retrylab.example/web/live"
)

// serves names the file on which this test's program serves labs, instead of testing, until it is killed.
const serves = "RETRYLAB_TEST_SERVES"

func TestMain(m *testing.M) {
	if path := os.Getenv(serves); path != "" {
		log.Fatal(serveLabs(path))
	}
	os.Exit(m.Run())
}

func serveLabs(path string) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { // whoever started this program is gone, and forgot it
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, live.NewHouse(live.HouseConfig{Store: s}))
}

// TestKill is one round of TestSoakKill with fewer requests.
func TestKill(t *testing.T) { kill(t, 2000, 900) }

// kill sends requests with keys from fifty clients to a lab in another process, kills that when so many are answered,
// and starts another one on the same file. Whoever got no answer asks again. At the end every key has had its effect
// once, and its answer is the one that was given first.
func kill(t *testing.T, requests, at int) {
	const clients = 50
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	s := &server{path: filepath.Join(t.TempDir(), "labs")}
	s.start(t)
	defer s.kill()
	r := &round{server: s, lab: newLabAt(t, s.place().url), first: make([]string, requests), reached: make(chan struct{}), at: int64(at)}
	begun := time.Now()
	go func() {
		select {
		case <-r.reached:
			s.kill()
			s.start(t)
		case <-ctx.Done():
		}
	}()
	r.all(clients, func(n int) { r.first[n] = r.ask(ctx, t, n, "") })
	took := time.Since(begun)
	r.all(clients, func(n int) {
		if again := r.ask(ctx, t, n, "true"); again != r.first[n] {
			t.Errorf("request %d: first %s, then %s", n, r.first[n], again)
		}
	})
	r.check(t, requests)
	fmt.Printf("kill: %d requests of %d clients, killed after %d answers, %d connections broken, %v\n",
		requests, clients, at, r.broken.Load(), took.Round(time.Millisecond))
}

// round is what the clients of a round share.
type round struct {
	server           *server
	lab              string
	first            []string // the first answer to each request
	at               int64
	answered, broken atomic.Int64
	reached          chan struct{}
}

// all lets so many clients ask all requests.
func (r *round) all(clients int, ask func(n int)) {
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for n := c; n < len(r.first); n += clients {
				ask(n)
			}
		})
	}
	all.Wait()
}

// ask sends request n until there is an answer, and returns that. It says whether a replay is wanted, if it matters.
func (r *round) ask(ctx context.Context, t *testing.T, n int, replayed string) string {
	for at := r.server.place(); ; at = at.next(ctx) {
		if ctx.Err() != nil {
			t.Errorf("request %d has no answer in time", n)
			return ""
		}
		q, err := http.NewRequestWithContext(ctx, "POST", at.url+"/v1/labs/"+r.lab+"/add", strings.NewReader(`{"amount":10}`))
		if err != nil {
			t.Error(err)
			return ""
		}
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("X-Client-ID", fmt.Sprint("client-", n%50))
		q.Header.Set("Idempotency-Key", fmt.Sprint("key-", n))
		status, header, body := send(q)
		if status == 0 {
			r.broken.Add(1)
			continue
		}
		if status != 200 || replayed != "" && header.Get("Idempotent-Replayed") != replayed {
			t.Errorf("request %d: got %d %v %s", n, status, header, body)
		}
		if r.answered.Add(1) == r.at {
			close(r.reached)
		}
		return body
	}
}

var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 50}}

// send sends a request; status 0 is no answer.
func send(r *http.Request) (status int, header http.Header, body string) {
	res, err := client.Do(r)
	if err != nil {
		return 0, nil, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil, ""
	}
	return res.StatusCode, res.Header, string(text)
}

// check compares the effects with the requests.
func (r *round) check(t *testing.T, requests int) {
	t.Helper()
	q, err := http.NewRequest("GET", r.server.place().url+"/v1/labs/"+r.lab+"/totals", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, body := send(q)
	var got struct {
		Applied, Duplicates    int
		Actual, Deduped, Naive int64
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	if got.Applied != requests || got.Duplicates != 0 || got.Actual != int64(10*requests) || got.Deduped != got.Actual || got.Naive <= got.Actual {
		t.Errorf("got %+v, want %d effects of 10", got, requests)
	}
	seen := map[string]int{}
	for n, answer := range r.first {
		if other, ok := seen[answer]; ok {
			t.Errorf("requests %d and %d are answered for with one effect: %s", other, n, answer)
		}
		seen[answer] = n
	}
}

// server is a process that serves the labs of a file.
type server struct {
	path string
	cmd  *exec.Cmd
	now  atomic.Pointer[place]
}

// place is where the server is, until it is elsewhere.
type place struct {
	url  string
	gone chan struct{} // closed when next is set
	then *place
}

func (s *server) place() *place { return s.now.Load() }

// next waits until the server is elsewhere.
func (p *place) next(ctx context.Context) *place {
	select {
	case <-p.gone:
		return p.then
	case <-ctx.Done():
		return p
	}
}

func (s *server) start(t *testing.T) {
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), serves+"="+s.path)
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		_, err = s.cmd.StdinPipe() // open as long as this program runs
	}
	if err == nil {
		err = s.cmd.Start()
	}
	line := ""
	if err == nil {
		line, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Errorf("the server does not start: %v", err)
		return
	}
	p := &place{url: strings.TrimSpace(line), gone: make(chan struct{})}
	if old := s.now.Swap(p); old != nil {
		old.then = p
		close(old.gone)
	}
}

// kill ends the process with SIGKILL.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// newLabAt makes a lab and gives its id.
func newLabAt(t *testing.T, url string) string {
	t.Helper()
	q, err := http.NewRequest("POST", url+"/v1/labs", nil)
	if err != nil {
		t.Fatal(err)
	}
	status, _, body := send(q)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
		t.Fatalf("no lab: %d %s", status, body)
	}
	return made.ID
}
