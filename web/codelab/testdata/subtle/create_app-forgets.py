def create_app(clock, limit=2, window=10):
    state = {}

    def app(request):
        try:
            key = client_key(request.headers.get("X-Client-ID"))
        except ValueError:
            return JSONResponse(400, {"error": "invalid_client"})
        if len(state) > 1:
            state.clear()
        allowed, wait = admit(state, key, clock(), limit, window)
        return JSONResponse(200, {"ok": True}) if allowed else limited_response(wait)

    return app
