from typing import Optional


def replay_safe(method: str, key: Optional[str]) -> bool:
    m = method.lower()
    if m in ("get", "head", "put", "delete"):
        return True
    if m != "post" or key is None:
        return False
    return not (key == "" or key.isspace())
