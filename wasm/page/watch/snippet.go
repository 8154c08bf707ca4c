package watch

import "strings"

// Client is a common client as a program that asks a lab.
type Client struct {
	// ID names it, and the message of what it does; Name is what people call it.
	ID, Name string
	// File is what a file with the program is called.
	File string
	text string
}

// With returns the program with the address of a lab.
func (c Client) With(base string) string { return strings.ReplaceAll(c.text, "BASE", base) }

// Clients returns the programs. What each of them really does is held by the tests of web/clients, which run them.
func Clients() []Client { return snippets }

var snippets = []Client{
	{"curl", "curl", "ask.sh", `curl -sS --retry 4 -H 'X-Client-ID: curl' BASE/work
curl -sS --retry 4 --retry-all-errors -H 'X-Client-ID: curl' \
  -H "Idempotency-Key: order-$(date +%s)-$$" \
  -H 'Content-Type: application/json' -d '{"amount":10}' BASE/add
`},
	{"go", "Go net/http", "main.go", `package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

func main() {
	client := &http.Client{Timeout: 2 * time.Second}
	req, err := http.NewRequest("POST", "BASE/add", strings.NewReader(` + "`{\"amount\":10}`" + `))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Client-ID", "go")
	req.Header.Set("Idempotency-Key", fmt.Sprint("order-", time.Now().UnixNano()))
	res, err := client.Do(req)
	if err != nil {
		fmt.Println("no answer:", err)
		return
	}
	defer res.Body.Close()
	fmt.Println(res.Status)
}
`},
	{"retryablehttp", "go-retryablehttp", "main.go", `package main

import (
	"fmt"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client := retryablehttp.NewClient()
	client.HTTPClient.Timeout = 2 * time.Second
	req, err := retryablehttp.NewRequest("POST", "BASE/add", []byte(` + "`{\"amount\":10}`" + `))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Client-ID", "go-retryablehttp")
	req.Header.Set("Idempotency-Key", fmt.Sprint("order-", time.Now().UnixNano()))
	res, err := client.Do(req)
	if err != nil {
		fmt.Println("gave up:", err)
		return
	}
	defer res.Body.Close()
	fmt.Println(res.Status)
}
`},
	{"node", "Node fetch", "ask.mjs", `// A loop as it is often written: no wait, no key, everything again.
for (let attempt = 1; attempt <= 5; attempt++) {
  try {
    const res = await fetch("BASE/add", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Client-ID": "node" },
      body: JSON.stringify({ amount: 10 }),
      signal: AbortSignal.timeout(2000),
    });
    console.log(res.status);
    if (res.ok) break;
  } catch (e) {
    console.log("no answer:", e.name);
  }
}
`},
	{"requests", "Python requests", "ask.py", `import uuid
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

retry = Retry(total=4, backoff_factor=0.5, status_forcelist=[429, 502, 503, 504], allowed_methods=None)
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=retry))
session.mount("https://", HTTPAdapter(max_retries=retry))
try:
    res = session.post("BASE/add", json={"amount": 10}, timeout=2, headers={
        "X-Client-ID": "python-requests", "Idempotency-Key": str(uuid.uuid4())})
    print(res.status_code)
except requests.RequestException as e:
    print("gave up:", type(e).__name__)
`},
}
