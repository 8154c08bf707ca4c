package server

import "net/http"

// Labs serves live labs under v1/, and a page that has them. What h answers is for programs anywhere: it sets its own
// header fields, and none of the page's. Call it before serving.
func (s *Site) Labs(h http.Handler) error {
	if err := s.tell(`data-labs="v1/labs"`); err != nil {
		return err
	}
	s.labs = h
	return nil
}
