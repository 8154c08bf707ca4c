package guide

// Box is a rectangle of the window, in px.
type Box struct{ Left, Top, Right, Bottom float64 }

func (b Box) width() float64  { return max(b.Right-b.Left, 0) }
func (b Box) height() float64 { return max(b.Bottom-b.Top, 0) }

// In returns the part of a box that lies in another one.
func (b Box) In(window Box) Box {
	return Box{max(b.Left, window.Left), max(b.Top, window.Top), min(b.Right, window.Right), min(b.Bottom, window.Bottom)}
}

// Cut takes off a box what another one covers of it, on the side where that one lies.
func (b Box) Cut(over Box) Box {
	switch {
	case over.Right <= b.Left || over.Left >= b.Right || over.Bottom <= b.Top || over.Top >= b.Bottom:
	case over.Top <= b.Top && over.Bottom < b.Bottom:
		b.Top = over.Bottom
	case over.Bottom >= b.Bottom && over.Top > b.Top:
		b.Bottom = over.Top
	}
	return b
}

// Gaps of a card: to what it is about, and to the edges of the window.
const (
	gap    = 14
	margin = 8
)

// Place puts a card of a size beside what it is about, so that it covers nothing of it. Where neither side has room, the
// card takes some of it, and shown is what is left: all that the card is then about.
func Place(window, about Box, width, height float64) (left, top float64, shown Box) {
	about = about.In(window)
	within := func(at, size, from, to float64) float64 { return max(min(at, to-margin-size), from+margin) }
	beside, under := within(about.Top, height, window.Top, window.Bottom), within(about.Left, width, window.Left, window.Right)
	switch {
	case about.Bottom+gap+height <= window.Bottom-margin:
		return under, about.Bottom + gap, about
	case about.Right+gap+width <= window.Right-margin:
		return about.Right + gap, beside, about
	case about.Left-gap-width >= window.Left+margin:
		return about.Left - gap - width, beside, about
	case about.Top-gap-height >= window.Top+margin:
		return under, about.Top - gap - height, about
	}
	low, high, side := about, about, about
	low.Bottom = min(about.Bottom, window.Bottom-margin-height-gap)
	high.Top = max(about.Top, window.Top+margin+height+gap)
	side.Right = min(about.Right, window.Right-margin-width-gap)
	area := func(b Box) float64 { return b.width() * b.height() }
	switch {
	case area(side) > area(low) && area(side) > area(high):
		return window.Right - margin - width, beside, side
	case area(high) > area(low):
		return under, window.Top + margin, high
	}
	return under, window.Bottom - margin - height, low
}
