def execute(send, clock, sleep, method, key, timeout=5, maximum=3, *, random_fraction):
    if timeout <= 0 or maximum < 1:
        raise ValueError
    deadline = clock() + timeout
    for calls in range(1, maximum + 1):
        left = remaining(deadline, clock())
        if left == 0:
            raise TimeoutError
        response = send(left)
        if not retryable(response.status) or not replay_safe(method, key):
            return response
        wait = wait_delay(jitter(backoff(calls - 1), random_fraction()), response.retry_after)
        if not can_attempt(calls, min(maximum, 5), wait, remaining(deadline, clock())):
            return response
        sleep(wait)
