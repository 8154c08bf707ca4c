package text_test

import (
	"testing"

	"retrylab.example/core/lesson"
	"retrylab.example/core/text"
)

func TestCheckValues(t *testing.T) {
	for _, c := range []struct {
		v          lesson.Value
		en, ko, ja string
	}{
		{lesson.Value{Text: "3"}, "3", "3", "3"},
		{lesson.Value{Bound: lesson.AtLeast, Text: "1.500 s"}, "1.500\u00a0s or more", "1.500초 이상", "1.500秒 以上"},
		{lesson.Value{Code: "succeeded", Text: "200"}, "200, succeeded", "200, 성공", "200、成功"},
		{lesson.Value{Code: "half-open"}, "half-open", "반열림", "ハーフオープン"},
		{
			lesson.Value{Code: "too-early"}, "before the event from which the time counts", "시간을 재기 시작하는 이벤트보다 먼저",
			"時間の起点となるイベントより前",
		},
		{lesson.Value{Code: "in-order"}, "in this order", "이 순서대로", "この順序"},
		{lesson.Value{Code: "not-in-order"}, "not in this order", "이 순서가 아님", "この順序ではない"},
		{lesson.Value{Code: "first-only"}, "only the first yet", "아직 첫 번째만", "まだ最初のものだけ"},
	} {
		for l, want := range map[text.Lang]string{text.English: c.en, text.Korean: c.ko, text.Japanese: c.ja} {
			if got := l.CheckValue(c.v); got != want {
				t.Errorf("%s, %+v: got %q, want %q", l, c.v, got, want)
			}
		}
	}
}
