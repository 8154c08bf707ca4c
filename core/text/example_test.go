package text_test

import (
	"fmt"
	"time"

	"retrylab.example/core/call"
	"retrylab.example/core/clock"
	"retrylab.example/core/event"
	"retrylab.example/core/retry"
	"retrylab.example/core/rng"
	"retrylab.example/core/text"
)

// One decision, said in three languages.
func ExampleLang_Verdict() {
	policy, err := retry.NewLessonA(8*time.Second, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := call.Request{Call: 1, Attempt: 1, Method: "GET", Path: "/total"}
	busy := call.Response{Status: 503, HasRetryAfter: true, RetryAfter: "2"}
	now := clock.Start.Add(time.Second)
	d := policy.Decide(retry.Input{
		Now: now, Deadline: clock.Start.Add(8 * time.Second), Request: r, Outcome: call.Outcome{Response: busy}, Fraction: rng.One,
	})
	e := event.Event{
		At: now, Kind: event.RetryScheduled, Until: now.Add(d.Wait), Request: r, Response: busy, Decision: d,
	}
	for _, l := range text.Langs() {
		fmt.Println(text.Plain(l.Verdict(&e, text.Names{"shop"})))
	}
	// Output:
	// Wait 2.000 s, then send attempt 2 at 3.000 s: the partner asked for 2 s, longer than the 0.500 s drawn here.
	// 2.000초를 기다린 뒤 3.000초에 2번째 시도를 보냅니다. 파트너가 요청한 2초가 여기서 뽑은 0.500초보다 길기 때문입니다.
	// 2.000秒待ち、3.000秒に2回目の試行を送信します。パートナーが求めた2秒が、ジッター適用後の0.500秒より長いためです。
}
