def fetch(request, send, sleep, draw, attempts=4):
    repeatable = may_repeat(request.method, "Idempotency-Key" in request.headers, request.path != "/estimate")
    asked = None
    for made in range(1, attempts + 1):
        last = not repeatable or made == attempts
        try:
            reply = send(request)
            if reply.status < 400 or last or not heals(reply.status, reply.retryable):
                return reply
            asked = reply.retry_after
        except NetworkError:
            if last:
                raise
        sleep(decimal_delay(full_jitter(made, draw), asked))
