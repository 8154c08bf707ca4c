TRANSIENT = [429, 502, 503, 504]


def retryable(status):
    for known in TRANSIENT:
        if status == known:
            return True
    return False
