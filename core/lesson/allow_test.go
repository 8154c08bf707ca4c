package lesson

import (
	"reflect"
	"testing"

	"retrylab.example/core/backoff"
	"retrylab.example/core/retry"
)

// Whatever differs between two policies is seen, so that no setting can be slipped past what a step offers.
func TestTurnedSeesEveryField(t *testing.T) {
	for i := range reflect.TypeFor[retry.Policy]().NumField() {
		field := reflect.TypeFor[retry.Policy]().Field(i)
		var a, b retry.Policy
		setOther(t, reflect.ValueOf(&b).Elem().Field(i))
		if got := Turned(a, b); len(got) != 1 && !(field.Name == "Backoff" && len(got) == 3) {
			t.Errorf("%s: turned %v", field.Name, got)
		}
	}
	if got := Turned(retry.Policy{}, retry.Policy{Jitter: backoff.PlusMinus, KeepAtCap: true}); len(got) != 1 || got[0] != "jitter" {
		t.Errorf("a jitter with its settings: turned %v", got)
	}
}

// setOther makes a zero value another one.
func setOther(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	case reflect.String:
		v.SetString("x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Struct:
		for i := range v.NumField() {
			setOther(t, v.Field(i))
		}
	default:
		t.Fatalf("a policy holds a %s", v.Kind())
	}
}
