package export_test

import (
	"fmt"
	"strings"

	"retrylab.example/core/export"
	"retrylab.example/core/scenario"
	"retrylab.example/core/text"
)

func shop() export.Run {
	s, err := scenario.Read("shop.json", []byte(`{
	  "clients": [{"name": "shop", "policy": {"preset": "once"}}],
	  "inputs": [{"at": "0s", "fire": {}}]
	}`))
	if err != nil {
		panic(err)
	}
	r, err := export.Of(&s, "", nil)
	if err != nil {
		panic(err)
	}
	return r
}

func ExampleRun_CSV() {
	r := shop()
	for row := range strings.Lines(string(r.CSV())) {
		cells := strings.Split(row, ",")
		fmt.Println(strings.Join(cells[:5], " "))
	}
	// Output:
	// seq at_ns event who client
	// 1 0 call-started client shop
	// 2 0 attempt-sent client shop
	// 3 50000000 request-arrived partner shop
	// 4 50000000 effect-applied partner shop
	// 5 100000000 reply-arrived client shop
	// 6 100000000 call-succeeded client shop
}

func ExampleRun_Markdown() {
	r := shop()
	_, table, _ := strings.Cut(string(r.Markdown(text.English)), "## Events\n\n")
	table, _, _ = strings.Cut(table, "\n\n")
	fmt.Println(strings.ReplaceAll(table, "\u00a0", " "))
	// Output:
	// | # | Time | Who | What happened |
	// | ---: | ---: | --- | --- |
	// | 1 | 0.000 s | shop | call begins: POST /add, 10; no deadline |
	// | 2 | 0.000 s | shop | attempt 1 sent, times out at 1.000 s |
	// | 3 | 0.050 s | partner | attempt 1 arrives |
	// | 4 | 0.050 s | partner | no key: +10 applied, total 10 |
	// | 5 | 0.100 s | shop | reply 200 arrives |
	// | 6 | 0.100 s | shop | decides: done with 200 |
}

func ExampleRun_GoTest() {
	r := shop()
	source, err := r.GoTest()
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(source)) {
		if command := strings.TrimPrefix(line, "//\tgo test "); command != line {
			fmt.Print(strings.ReplaceAll(command, r.Name(), "TestRun…"))
		}
	}
	// Output: ./exported -run TestRun… -v
}
