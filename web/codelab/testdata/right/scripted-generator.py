def scripted(outcomes):
    def steps():
        while True:
            for i, outcome in enumerate(outcomes):
                if i < len(outcomes) - 1:
                    yield outcome
            while True:
                yield outcomes[-1]

    script = steps()

    def operation():
        outcome = next(script)
        if outcome == "temporary":
            raise TemporaryError()
        if outcome == "invalid":
            raise InvalidError()
        return outcome

    return operation
