package text

import (
	"strings"
	"testing"

	"retrylab.example/core/document"
	"retrylab.example/core/scenario"
)

// TestFileFaults: the English words of a fault are those of the reader; the common ones of a scenario are said in every
// language, with the same parameters.
func TestFileFaults(t *testing.T) {
	for _, text := range []string{
		``, `{"clients": [`, `{}`, `{"clients": []}`, `{"seed": "x", "clients": [{"name": "a", "policy": {"attempts": "3"}}]}`,
		`{"seed": 1.5, "latency": 5, "repeatLast": 1, "clients": [{"name": "a b", "policy": {"attempts": 0, "backoff": {"base": "1"}}}]}`,
		`{"clients": [{"name": "a", "policy": {}}, {"name": "a", "policy": {"preset": "z"}, "pool": "p"}]}`,
		`{"clients": [{"name": "a", "policy": {"preset": "contract-a", "fraction": 2}}], "inputs": [{"at": "2s", "fire": {"client": "b"}}, {"at": "1s"}]}`,
		`{"script": [{}, {"reply": 9}], "latency": "9h", "clients": [{"name": "a", "policy": {"preset": "contract-a"}, "request": {"method": "1", "path": "x"}}]}`,
		`{"pools": [{"name": "p", "running": 1}, {"name": "p", "running": 1}], "partner": 3, "clients": [{"name": "a", "policy": {"preset": "contract-a"}, "seed": 1}]}`,
		`{"seed": 1, "seed": 2, "clients": {}}`, `{"seed": null, "script": {}, "clients": [3]}`,
	} {
		_, err := scenario.Read("scenario.json", []byte(text))
		if err == nil {
			t.Fatalf("%s has no fault", text)
		}
		for _, f := range document.FaultsOf(err) {
			if problem, mend, known := English.faultWords(f); !known || problem != f.Problem || mend != f.Mend {
				t.Errorf("the reader says %q; %q, in English it is said %q; %q", f.Problem, f.Mend, problem, mend)
			}
			for _, l := range Langs() {
				problem, mend, lang := l.FileFault(f)
				if lang != l {
					t.Errorf("%s has no words for %q; %q", l, f.Problem, f.Mend)
				}
				for _, a := range strings.Split(f.Args, "\x00") {
					if !Has("value."+a) && !strings.Contains(problem, a) {
						t.Errorf("%s says %q without %s", l, problem, a)
					}
				}
				if strings.Contains(problem+mend, "{a}") || strings.Contains(mend, "%s") {
					t.Errorf("%s says %q; %q", l, problem, mend)
				}
			}
		}
	}
	odd := document.Fault{Problem: "nobody has written this", Mend: "as it is\u202e"}
	if problem, mend, lang := Korean.FileFault(odd); problem != odd.Problem || mend == odd.Mend || lang != English {
		t.Errorf("an unknown fault is said %q; %q in %s", problem, mend, lang)
	}
}
