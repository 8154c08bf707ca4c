package partner

import "fmt"

// Check returns an error if the partner breaks an invariant that each step must keep.
func (p Partner) Check() error {
	recorded, keyless, unrecorded := p.Effects()
	if p.effects != recorded+keyless+unrecorded {
		return fmt.Errorf("%d effects: %d under a key, %d without one, %d whose record was lost",
			p.effects, recorded, keyless, unrecorded)
	}
	if unrecorded > 0 && !p.config.SplitRecord {
		return fmt.Errorf("%d records were lost, and effect and record are one step", unrecorded)
	}
	if p.config.Capacity.Running > 0 && p.capacity.Running()+p.capacity.Queued() != len(p.jobs) {
		return fmt.Errorf("%d requests are worked on, %d wait for that, and %d have no answer",
			p.capacity.Running(), p.capacity.Queued(), len(p.jobs))
	}
	if p.limiter.kind == concurrency {
		if err := p.checkPermits(); err != nil {
			return err
		}
	}
	return p.book.check()
}

// checkPermits compares the requests in flight with the permits that are out.
func (p *Partner) checkPermits() error {
	for i := range p.jobs {
		client, held := p.jobs[i].request.ClientID, 0
		for k := range p.jobs {
			if p.jobs[k].request.ClientID == client && p.jobs[k].route != readRate {
				held++
			}
		}
		if in := p.limiter.slots.InFlight(client); in != held {
			return fmt.Errorf("%d requests of %q are in flight, and %d permits are out", held, client, in)
		}
	}
	return nil
}

// check compares the places that are taken with the reservations.
func (b *book) check() error {
	taken := make([]int64, len(b.taken))
	for _, v := range b.made {
		taken[v.slot-1] += v.amount
	}
	for i, n := range taken {
		if n != b.taken[i] || n > b.places {
			return fmt.Errorf("slot %d has %d places, %d are taken, and reservations hold %d", i+1, b.places, b.taken[i], n)
		}
	}
	return nil
}
