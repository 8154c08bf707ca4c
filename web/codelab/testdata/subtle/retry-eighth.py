def retry(operation, attempts, wait):
    if attempts < 1:
        raise ValueError
    for made in range(1, attempts + 1):
        try:
            return operation()
        except TemporaryError:
            if made == attempts:
                raise
        wait(8 if made > 4 else min(2 ** (made - 1), 4))
