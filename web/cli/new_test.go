package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// What new writes passes lint at once, in every set of languages.
func TestNewLessonsPassLint(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, languages, seen string }{
		{"in-english", "en", "en"}, {"in-two", "ko, ja", "ko"}, {"in-three", "", "en"},
	} {
		args := []string{"new", c.name, "--dir", dir}
		if c.languages != "" {
			args = append(args, "--languages", c.languages)
		}
		file := filepath.Join(dir, c.name+".json")
		status, out, errs := runOn(t, nil, args...)
		wantRun(t, c.name, status, out, errs, statusOK, file+": written; edit it, and then: retrylab lint "+file+"\n", "")
		status, out, errs = runOn(t, nil, "lint", file)
		wantRun(t, "lint "+c.name, status, out, errs, statusOK, file+": ok, 2 steps proven; no draw is used\n", "")
	}
}

func TestNewWritesOverNothing(t *testing.T) {
	file := put(t, "mine.json", "my work")
	dir := filepath.Dir(file)
	status, out, errs := runOn(t, nil, "new", "mine", "--dir", dir)
	wantRun(t, "a second time", status, out, errs, statusFailed, "",
		"retrylab: "+file+" exists already and is left as it is; choose another name, or another --dir\n")
	if data, err := os.ReadFile(file); err != nil || string(data) != "my work" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	nowhere := filepath.Join(dir, "nowhere")
	status, out, errs = runOn(t, nil, "new", "mine", "--dir", nowhere)
	wantRun(t, "no folder", status, out, errs, statusFailed, "",
		"retrylab: there is no folder "+nowhere+"; make it, or choose another --dir\n")
}

func TestNewRefusesBadNames(t *testing.T) {
	dir := t.TempDir()
	const tail = "\nTry: retrylab help\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "retrylab new: the name of the lesson is missing"},
		{[]string{"a", "b"}, `retrylab new: there is one argument too many: "b"`},
		{[]string{"../a"}, `new: "../a" cannot be the id of a lesson; use 1 to 40 lower-case letters, digits and hyphens`},
		{[]string{"a.json"}, `new: "a.json" cannot be the id of a lesson; use 1 to 40 lower-case letters, digits and hyphens`},
		{[]string{"a", "--languages", "en,fr"}, `new: a new lesson cannot be written in "fr"; use some of: en, ko, ja, and add others in the file`},
		{[]string{"a", "--languages", ","}, "new: the lesson has no language; use some of: en, ko, ja"},
	} {
		status, out, errs := runOn(t, nil, append([]string{"new", "--dir", dir}, c.args...)...)
		wantRun(t, "new", status, out, errs, statusUsage, "", "retrylab: "+c.want+tail)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}
