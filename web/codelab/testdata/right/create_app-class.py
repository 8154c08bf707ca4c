class App:
    def __init__(self, clock, limit, window):
        self.clock, self.limit, self.window = clock, limit, window
        self.state = {}

    def __call__(self, request):
        try:
            key = client_key(request.headers["X-Client-ID"])
        except (KeyError, ValueError):
            return JSONResponse(400, dict(error="invalid_client"))
        ok, wait = admit(self.state, key, self.clock(), self.limit, self.window)
        return JSONResponse(200, dict(ok=True), {}) if ok else limited_response(wait)


def create_app(clock, limit=2, window=10):
    return App(clock, limit, window)
