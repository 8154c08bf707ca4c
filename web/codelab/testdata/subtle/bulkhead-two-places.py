def bulkhead(arrivals, running=10, queue=20, patience=3):
    free = [0] * min(running, 2)
    starts, answer = [], []
    for at, work in arrivals:
        waiting = len([s for s in starts if s > at])
        first = free.index(min(free))
        if free[first] > at and waiting >= queue:
            answer.append(("refused", None))
            continue
        start = max(at, free[first])
        free[first] = start + work
        starts.append(start)
        answer.append(("done" if start + work - at <= patience else "left", start))
    return answer
