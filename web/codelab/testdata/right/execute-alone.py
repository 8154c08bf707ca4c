class Call:
    """All of it in one class, without the functions of the steps before."""

    def __init__(self, clock, timeout):
        self.clock = clock
        self.end = clock() + timeout

    def left(self):
        return max(self.end - self.clock(), 0)


def seconds(text):
    return int(text) if isinstance(text, str) and text and all("0" <= c <= "9" for c in text) else 0


def execute(send, clock, sleep, method, key, timeout=5, maximum=3, *, random_fraction):
    if timeout <= 0 or maximum < 1:
        raise ValueError
    call = Call(clock, timeout)
    again = method.upper() in {"GET", "HEAD", "PUT", "DELETE"} or method.upper() == "POST" and bool((key or "").strip())
    made = 0
    while (left := call.left()) > 0:
        reply = send(left)
        made += 1
        if reply.status not in {429, 502, 503, 504} or not again:
            return reply
        asked = reply.retry_after
        if isinstance(asked, int) and not isinstance(asked, bool):
            asked = str(asked)
        pause = max(min(4.0, 0.5 * 2 ** (made - 1)) * random_fraction(), seconds(asked))
        if made >= maximum or pause >= call.left():
            return reply
        sleep(pause)
    raise TimeoutError
