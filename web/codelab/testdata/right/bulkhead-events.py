def bulkhead(arrivals, running=10, queue=20, patience=3):
    free = [0] * running  # when each place is free
    starts = []
    answer = []
    for at, work in arrivals:
        waiting = len([s for s in starts if s > at])
        first = free.index(min(free))
        if free[first] > at and waiting >= queue:
            answer.append(("refused", None))
            continue
        start = max(at, free[first])
        free[first] = start + work
        starts.append(start)
        answer.append((("left", "done")[free[first] - at <= patience], start))
    return answer
