//go:build js

// Command app is the browser program.
package main

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// page is the whole program for now: a heading that proves the way from source to screen.
type page struct {
	app.Compo
}

// OnMount says that the page can be used; every browser test waits for it.
func (p *page) OnMount(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		app.Window().Get("document").Get("documentElement").Call("setAttribute", "data-ready", "1")
	})
}

// Render draws the page.
func (p *page) Render() app.UI {
	return app.Main().Body(app.H1().Text("Retry Lab"))
}

func main() {
	app.RouteWithRegexp(".*", func() app.Composer { return &page{} })
	app.RunWhenOnBrowser()
}
