def retry(operation, attempts, wait, pause=1):
    if attempts < 1:
        raise ValueError
    try:
        return operation()
    except TemporaryError as error:
        if attempts == 1:
            raise error
    wait(pause)
    return retry(operation, attempts - 1, wait, min(pause * 2, 4))
