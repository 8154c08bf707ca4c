def add_once(state, key, amount, lost):
    saved = state["saved"]
    if key not in saved:
        total = state["total"] = state["total"] + amount
        saved[key] = amount, total
        if lost:
            raise ReplyLost
    elif saved[key][0] != amount:
        raise ValueError
    return saved[key][1]
