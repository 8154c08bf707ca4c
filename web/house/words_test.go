package house

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A thing has one word in each language, and never the others. en says in which texts it is meant, by what the English
// says; empty means in all. ko and ja are the words, for whoever writes the next text.
type thing struct {
	en, ko, ja   string
	notKo, notJa string // patterns of words that would be another one for it
}

var things = []thing{
	{en: `(?i)\bpartner`, ko: "파트너", ja: "パートナー", notKo: "파트너 서버|협력사|상대 서버", notJa: "相手先|取引先"},
	{ko: "재시도", ja: "再試行", notKo: "리트라이", notJa: "リトライ"},
	{ko: "정책", ja: "ポリシー", notKo: "폴리시", notJa: "方針"},
	{en: `(?i)\brefuse`, ko: "거절 (연결만 거부)", ja: "拒否", notKo: "거부", notJa: "拒絶"},
	{en: `(?i)\breplay(ed|s)?\b`, ko: "재사용, 다시 보내기", ja: "再利用", notKo: "재생", notJa: "再生"},
	{en: `(?i)\bgiv(e|es|en) up\b|\bgave up\b`, ko: "포기", ja: "打ち切り", notKo: "단념", notJa: "断念|諦め|あきらめ"},
	{en: `(?i)\bcaller`, ko: "호출자", ja: "呼び出し元", notKo: "호출측|호출 측", notJa: "呼び出し側"},
	{en: `(?i)\brequests?\b`, ko: "요청", ja: "リクエスト", notKo: "리퀘스트", notJa: "(?:^|の|送る|した|試しの)要求(?:$|の|を送|も)"},
	{en: `(?i)\bdeadline`, ko: "데드라인", ja: "デッドライン", notKo: "마감|호출 기한|기한 판정", notJa: "締め切り|(?:^|の)期限の判定|呼び出しの期限"},
	{en: `(?i)\blease\b`, ko: "기한", ja: "期限", notKo: "임대|점유", notJa: "リース|占有"},
	{en: `(?i)\bwindow\b`, ko: "구간", ja: "ウィンドウ", notKo: "윈도", notJa: "窓"},
	{en: `(?i)\bperiods?\b`, ko: "주기", ja: "周期", notKo: "구간", notJa: "区間|期間"},
	{en: `(?i)\bprobe`, ko: "시험 호출", ja: "試験呼び出し", notKo: "탐색|탐침|프로브", notJa: "プローブ|試しの|テスト呼び出し"},
	{en: `(?i)\bcircuit`, ko: "서킷", ja: "サーキット", notKo: "회로", notJa: "回路"},
	{en: `(?i)\blimiter`, ko: "요청 제한", ja: "レート制限", notKo: "리미터|제한기", notJa: "リミッター|制限器"},
	{en: `(?i)\b(in the|no) queue\b|\bqueued\b`, ko: "대기열", ja: "待ち行列", notKo: "큐", notJa: "キュー"},
	{en: `(?i)idempotency key`, ko: "멱등 키", ja: "冪等キー", notKo: "멱등성 키", notJa: "べき等|冪等性キー"},
	{en: `(?i)\bjitter`, ko: "지터", ja: "ジッター", notKo: "흔들림", notJa: "ジッタ(?:[^ー]|$)|ゆらぎ"},
	{en: `(?i)\bchecks?\b`, ko: "점검 항목", ja: "チェック", notKo: "체크|조건을 충족"},
	{en: `(?i)\bseeds?\b`, ko: "시드", ja: "シード", notKo: "씨앗|난수 값", notJa: "種(?:[^類]|$)"},
	{en: `(?i)\bsandbox`, ko: "샌드박스", ja: "サンドボックス", notKo: "놀이터|연습장", notJa: "遊び場|砂場"},
	{en: `(?i)\breceipt\b`, ko: "결정 내역 (응답을 받은 시각은 수신)", ja: "内訳", notKo: "명세|영수증", notJa: "明細|レシート"},
	{en: `(?i)\bsolution\b`, ko: "풀이", ja: "解答", notKo: "정답|해답", notJa: "正解例|回答"},
	{en: `(?i)\bdate\b`, ko: "날짜", ja: "日時 (曜日と並ぶときは日付)", notJa: `[^、がと]日付(?:と|形|を|や|は)`},
	{en: `(?i)\bfallback`, ko: "대체 응답", ja: "代替応答", notKo: "폴백|예비", notJa: "フォールバック|予備"},
	{notKo: "하세요|세요[.。]|해요|나요[?.]"},           // 합니다 throughout
	{notJa: `[ぁ-んァ-ヶ一-龠]\([^)]*[ぁ-んァ-ヶ一-龠{]`}, // brackets are wide in Japanese
}

// refusedConnection is the one refusal that has a word of its own.
var refusedConnection = regexp.MustCompile(`연결이? ?거부`)

// wordFaults says which words of a text are others than the house's.
func wordFaults(s text) (faults []string) {
	for _, th := range things {
		if th.en != "" && !regexp.MustCompile(th.en).MatchString(s.en) {
			continue
		}
		for _, in := range []struct{ not, text, word string }{{th.notKo, s.ko, th.ko}, {th.notJa, s.ja, th.ja}} {
			if in.not == "" {
				continue
			}
			if found := regexp.MustCompile(in.not).FindString(refusedConnection.ReplaceAllString(in.text, "")); found != "" {
				faults = append(faults, fmt.Sprintf("%q for what is %q elsewhere, in: %s", found, in.word, in.text))
			}
		}
	}
	return faults
}

// TestOneWordForOneThing: Korean and Japanese call a thing by one word everywhere.
func TestOneWordForOneThing(t *testing.T) {
	for name, texts := range translated(t) {
		for _, s := range texts {
			for _, fault := range wordFaults(s) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
}

// TestTheWordRuleBites: another word for a thing is found, and only where that thing is meant.
func TestTheWordRuleBites(t *testing.T) {
	for _, tt := range []struct {
		s    text
		want string
	}{
		{text{"the partner answers", "파트너 서버가 답합니다", "パートナーが答えます"}, "파트너 서버"},
		{text{"the partner answers", "파트너가 답합니다", "パートナーが答えます"}, ""},
		{text{"a retry", "재시도", "リトライ"}, "リトライ"},
		{text{"refused", "거부됨", "拒否"}, "거부"},
		{text{"connection refused", "연결 거부", "接続拒否"}, ""},
		{text{"Play", "재생", "再生"}, ""},
		{text{"replayed", "재사용", "再生"}, "再生"},
		{text{"in this period", "이번 구간", "この周期"}, "구간"},
		{text{"in this window", "이번 구간", "このウィンドウ"}, ""},
		{text{"Saved ({n})", "저장({n})", "保存 ({n})"}, ""},
		{text{"Share, %", "비율(%)", "割合(件数)"}, "合("},
	} {
		if got := strings.Join(wordFaults(tt.s), "\n"); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%v: %q, want %q", tt.s, got, tt.want)
		}
	}
}
