# V=-v shows every test; P narrows the native tests, for example P=./core/retry
V =
P = ./...
NPM = npm ci --ignore-scripts --no-audit --no-fund
RELEASE = -trimpath -buildvcs=false -ldflags='-s -w'
WASM = GOOS=js GOARCH=wasm
NODE = -exec="$$(go env GOROOT)/lib/wasm/go_js_wasm_exec"

# where make edge-dev listens
EDGE = localhost:8787

.PHONY: run build site code edge edge-worker edge-dev test test-native test-node test-browser test-size test-edge check soak bench bench-web shots npm clean

run: code ## build what is missing and serve it
	go run .

build: code ## bin/retrylab: one file with everything in it
	go run . site --out web/site/dist
	go build $(RELEASE) -tags embedded -o bin/retrylab .

site: code ## dist/: a folder for any web host, any subfolder
	go run . site --out dist

edge: code edge-worker ## build/edge/: the partner and the playground for Cloudflare Workers
	go run . site --out build/edge/public
	find build/edge/public -name '*.br' -delete -o -name '*.gz' -delete # the platform compresses by itself
	sed -i.plain 's/<html /<html data-labs="v1\/labs" /' build/edge/public/index.html && rm build/edge/public/index.html.plain
	cp wasm/edge/worker/_headers build/edge/public/

edge-worker:
	go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o build/edge/worker
	rm build/edge/worker/worker.mjs
	cp wasm/edge/worker/*.mjs wasm/edge/worker/config.capnp build/edge/worker/
	cp wasm/edge/worker/wrangler.toml build/edge/
	$(WASM) go build $(RELEASE) -o build/edge/worker/app.wasm ./wasm/edge

edge-dev: npm edge ## the same here, on the platform's engine, without an account; labs are kept in build/edge/objects
	mkdir -p build/edge/objects
	@echo "Retry Lab: http://$(EDGE)"
	cd build/edge && ../../web/npm/node_modules/.bin/workerd serve worker/config.capnp --socket-addr=http=$(EDGE)

test: ## everything; installs what it needs
	.ci/install
	go vet $(P)
	$(MAKE) test-native test-node test-browser test-size test-edge

test-native: npm
	go test -timeout 30m $(V) $(P)

test-node: ## the same core, the same digests, under WebAssembly
	$(WASM) go test $(NODE) -timeout 30m $(V) ./core/...

test-browser: npm
	go test -tags e2e -timeout 60m $(V) ./web/e2e/...

test-size: ## compresses the program as well as possible, which takes half a minute after each change of it
	go test -tags release -timeout 20m $(V) -run '^TestAppSize$$' ./web/site

test-edge: npm edge-worker ## the live partner on workerd, the engine of Cloudflare Workers
	go test -tags e2e -timeout 15m $(V) -run Workers ./web/live

check: ## format, vet, staticcheck, layers and sizes; fails if the tree changed
	.ci/check

soak: npm ## the long campaigns: random worlds, random actions in Chromium, then FUZZTIME (10m) of fuzzing for each target; a night on two cores
	go test -tags soak -timeout 3h -v -run 'Soak' ./...
	go test -tags 'e2e soak' -timeout 3h -v -run 'Soak' ./web/e2e
	.ci/soak

bench: ## events per second and the like, and what a lab costs beside a bare handler
	go test -run '^$$' -bench . ./core/...
	go test -run '^$$' -bench . -benchtime 20000x ./web/live

bench-web: npm ## time to interactive, steps, scrubbing, going back, memory after a thousand resets, in Chromium; the machine must be quiet
	go test -tags e2e -run '^$$' -bench . -benchtime 7x ./web/e2e/...

shots: npm ## build/shots/: a picture of every page in every language, theme and size
	go test -tags 'e2e shots' -timeout 60m $(V) -run '^TestShots$$' ./web/e2e

npm: web/npm/node_modules/.all

web/npm/node_modules/.all: web/npm/package-lock.json
	cd web/npm && $(NPM)
	touch $@

code: ## what code steps need from npm, if there is npm; without it they say what is missing, and all else runs
	@[ web/npm/node_modules/.all -nt web/npm/package-lock.json ] || [ web/npm/node_modules/.code -nt web/npm/package-lock.json ] || \
	if command -v npm >/dev/null && (cd web/npm && $(NPM) --omit=dev --fetch-retries=1 --fetch-timeout=30000); then touch web/npm/node_modules/.code; \
	else echo "Without packages from npm the code steps do not run; everything else does. They come with: make npm"; fi

clean:
	rm -rf bin build dist web/site/dist web/npm/node_modules
