package live

import (
	"net/http"
	"slices"
	"strings"
)

// route is one path of the API and what its methods do. In a pattern {id} is a lab and {number} a reservation.
type route struct {
	pattern string
	methods []method
}

type method struct {
	name   string
	answer func(*House, http.ResponseWriter, *http.Request, string)
}

// routes are all of the API. openapi.json says the same; a test holds one against the other.
var routes = []route{
	{"/v1/openapi.json", []method{{"GET", (*House).openAPI}}},
	{"/v1/labs", []method{{"POST", (*House).create}}},
	{"/v1/labs/{id}", []method{{"GET", (*House).about}, {"DELETE", (*House).end}}},
	{"/v1/labs/{id}/trace", []method{{"GET", (*House).trace}}},
	{"/v1/labs/{id}/totals", []method{{"GET", (*House).totals}}},
	{"/v1/labs/{id}/report", []method{{"GET", (*House).report}}},
	{"/v1/labs/{id}/work", asks("GET")},
	{"/v1/labs/{id}/window", asks("GET")},
	{"/v1/labs/{id}/rate", asks("GET")},
	{"/v1/labs/{id}/add", asks("POST")},
	{"/v1/labs/{id}/total", asks("GET", "HEAD", "PUT", "DELETE", "PATCH")},
	{"/v1/labs/{id}/reservations", asks("GET", "POST")},
	{"/v1/labs/{id}/reservations/{number}", asks("GET", "DELETE")},
	{"/v1/labs/{id}/waitlist", asks("POST")},
	{"/v1/labs/{id}/estimate", asks("POST")},
}

// asks are methods that the partner answers.
func asks(names ...string) (list []method) {
	for _, name := range names {
		list = append(list, method{name, (*House).ask})
	}
	return list
}

// match reports whether a path is of a pattern, and which lab it names.
func match(pattern, path string) (id string, ok bool) {
	for {
		p, restP, moreP := strings.Cut(pattern, "/")
		s, rest, more := strings.Cut(path, "/")
		switch {
		case p == "{id}":
			id = s
		case p == "{number}" && s != "":
		case p != s:
			return "", false
		}
		if !moreP || !more {
			return id, moreP == more
		}
		pattern, path = restP, rest
	}
}

// dispatch finds who answers a request.
func (h *House) dispatch(w http.ResponseWriter, r *http.Request) {
	for i := range routes {
		id, ok := match(routes[i].pattern, r.URL.Path)
		if !ok {
			continue
		}
		for _, m := range routes[i].methods {
			if m.name == r.Method {
				m.answer(h, w, r, id)
				return
			}
		}
		h.otherMethod(&routes[i], w, r, id)
		return
	}
	Problem(w, http.StatusNotFound, "not-found", "There is nothing at this path. GET /v1/openapi.json lists what there is.")
}

// allowed returns the methods of a route, as the field Allow lists them.
func (rt *route) allowed() string {
	list := []string{"OPTIONS"}
	for _, m := range rt.methods {
		list = append(list, m.name)
		if m.name == "GET" && !rt.asksPartner() {
			list = append(list, "HEAD")
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

// asksPartner says that the partner itself answers, to which HEAD is another request than GET.
func (rt *route) asksPartner() bool { return strings.Count(rt.pattern, "/") > 3 && !rt.looks() }

// looks says that the route only looks at a lab.
func (rt *route) looks() bool {
	return strings.HasSuffix(rt.pattern, "/trace") || strings.HasSuffix(rt.pattern, "/totals") || strings.HasSuffix(rt.pattern, "/report")
}

// otherMethod answers a method that the route does not have: OPTIONS, HEAD for what only looks, or a refusal.
func (h *House) otherMethod(rt *route, w http.ResponseWriter, r *http.Request, id string) {
	allow := rt.allowed()
	switch {
	case r.Method == http.MethodHead && strings.Contains(allow, "HEAD"):
		rt.methods[0].answer(h, bodiless{w}, r, id)
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", allow)
		if r.Header.Get("Access-Control-Request-Method") != "" {
			preflight(w.Header(), allow)
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", allow)
		Problem(w, http.StatusMethodNotAllowed, "method-not-allowed", "This path answers "+allow+".")
	}
}

// bodiless is a writer for the answer to HEAD, for hosts that do not leave the body out themselves.
type bodiless struct{ http.ResponseWriter }

func (bodiless) Write(p []byte) (int, error) { return len(p), nil }

// allowOrigins lets every page read every answer: who knows a lab's id may ask it from anywhere, and nothing here goes by
// cookies.
func allowOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Allow, Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After")
}

// preflight tells a browser what it may send.
func preflight(h http.Header, allow string) {
	h.Set("Access-Control-Allow-Methods", allow)
	h.Set("Access-Control-Allow-Headers", "Accept, Accept-Language, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, Prefer, X-Client-ID")
	h.Set("Access-Control-Max-Age", "7200")
}
