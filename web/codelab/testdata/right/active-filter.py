def active(history, now, window):
    return list(filter(lambda t: t + window > now, history))
