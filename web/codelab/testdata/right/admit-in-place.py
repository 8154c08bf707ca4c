def admit(state, key, now, limit, window):
    limit, window = validate_limit(limit, window)
    kept = state[key] if key in state else []
    while kept and not kept[0] > now - window:
        del kept[0]
    state[key] = kept
    if len(kept) >= limit:
        return False, retry_after(kept, now, window)
    kept.append(now)
    return True, 0
