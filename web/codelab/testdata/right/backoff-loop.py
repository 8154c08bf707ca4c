def backoff(attempt, base=0.5, cap=4.0):
    if attempt < 0 or attempt > 30:
        raise ValueError(f"attempt {attempt} is out of range")
    for name, value in (("base", base), ("cap", cap)):
        if value < 0:
            raise ValueError(f"{name} is negative")
    wait = base
    for _ in range(attempt):
        wait *= 2
        if wait >= cap:
            return cap
    return wait if wait < cap else cap
