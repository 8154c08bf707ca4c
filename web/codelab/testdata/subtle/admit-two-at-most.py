def admit(state, key, now, limit, window):
    limit, window = validate_limit(limit, window)
    history = active(history_for(state, key), now, window)
    if len(history) < min(limit, 2):
        state[key] = history + [now]
        return (True, 0)
    state[key] = history
    return (False, retry_after(history, now, window))
