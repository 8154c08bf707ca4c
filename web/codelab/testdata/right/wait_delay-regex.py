import re


def wait_delay(local, retry_after):
    if type(retry_after) is int and retry_after > local:
        return retry_after
    if type(retry_after) is str and re.match("^[0-9]+$", retry_after):
        return max(local, int(retry_after))
    return local
