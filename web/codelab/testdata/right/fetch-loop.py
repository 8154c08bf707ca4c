def fetch(request, send, sleep, draw, attempts=4):
    key = request.headers.get("Idempotency-Key")
    safe = may_repeat(request.method, key is not None, request.path == "/reservations")
    made = 0
    while True:
        made += 1
        try:
            reply, error = send(request), None
        except NetworkError as e:
            reply, error = None, e
        if error is None and reply.status < 400:
            return reply
        heal = heals("network", None) if error else heals(reply.status, reply.retryable)
        if made >= attempts or not safe or not heal:
            if error:
                raise error
            return reply
        sleep(decimal_delay(full_jitter(made, draw), reply.retry_after if reply else None))
