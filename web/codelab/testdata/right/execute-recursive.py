def execute(send, clock, sleep, method, key, timeout=5, maximum=3, *, random_fraction):
    if not timeout > 0:
        raise ValueError("timeout")
    if maximum <= 0:
        raise ValueError("maximum")
    deadline = clock() + timeout

    def attempt(number):
        left = remaining(deadline, clock())
        if not left:
            raise TimeoutError
        reply = send(left)
        if retryable(reply.status) and replay_safe(method, key):
            if number < maximum:
                pause = wait_delay(jitter(backoff(number - 1), random_fraction()), reply.retry_after)
                if can_attempt(number, maximum, pause, remaining(deadline, clock())):
                    sleep(pause)
                    return attempt(number + 1)
        return reply

    return attempt(1)
