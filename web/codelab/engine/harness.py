# What stands between the worker and a learner's program: it runs cases in a fresh namespace each, plays the world
# around the function (clock, network, draws), and says what came out as JSON. It judges nothing: core/codelab does.
# The forms of the messages stand in core/codelab/wire.go.
import builtins
import io
import json
import sys

MAX_CALLS = 500  # of the world, in one case
MAX_OUTPUT = 200000  # characters printed in one case
KEPT_OUTPUT = 1000  # of them shown
MAX_ITEMS = 200
MAX_DEPTH = 6
MODULES = ("math", "re", "collections", "functools", "itertools", "string")


class Limit(BaseException):
    """Ends the program: its code says why. No `except Exception` of a learner catches it."""

    def __init__(self, code, detail=""):
        self.code = code
        self.detail = detail


class TimeoutError(OSError):
    pass


class TemporaryError(Exception):
    pass


class InvalidError(Exception):
    pass


class ReplyLost(Exception):
    pass


class NetworkError(Exception):
    pass


class Reply:
    """What a partner answers."""

    def __init__(self, number, status, retry_after, retryable):
        self.number = number
        self.status = status
        self.retry_after = retry_after
        self.retryable = retryable

    def __repr__(self):
        return "<reply %d: %s>" % (self.number, self.status)


class JSONResponse:
    """What a server answers: a status, a body to be written as JSON, and headers."""

    def __init__(self, status, body, headers=None):
        self.status = status
        self.body = body
        self.headers = headers if headers is not None else {}


class Request:
    """What a server is asked."""

    def __init__(self, method, path, headers):
        self.method = method
        self.path = path
        self.headers = headers


class Anything:
    """Stands for every name of typing: annotations are read and mean nothing."""

    def __getattr__(self, name):
        return self

    def __getitem__(self, of):
        return self

    def __call__(self, *args, **kw):
        return args[-1] if args else self


class Time:
    """Stands for the module time: a program on a fake clock never asks the real one."""

    def __getattr__(self, name):
        raise Limit("real-time", "time." + name)


real_isinstance = isinstance


def learners_isinstance(value, kinds):
    """True is an int in Python, and is none in this engine."""
    if value is True or value is False:
        if kinds is int or real_isinstance(kinds, tuple) and int in kinds:
            return True
    return real_isinstance(value, kinds)


modules = dict([(name, __import__(name)) for name in MODULES])  # now, as they import others


def learners_import(name, *args):
    if name in modules:
        return modules[name]
    if name == "typing":
        return Anything()
    if name == "time":
        return Time()
    raise Limit("no-module", name)


def refused(name):
    def refuse(*args, **kw):
        raise Limit("no-function", name)

    return refuse


class World:
    """What surrounds one case. Times are seconds; each call of the world that a contract speaks of is noted."""

    def __init__(self, case):
        self.now = case.get("now", 0) / 1000000000
        self.over = case.get("over", 0) / 1000000000
        self.replies = case.get("replies", [])
        self.draws = case.get("draws", [])
        self.sent = 0
        self.drawn = 0
        self.calls = 0
        self.trace = []
        self.printed = 0
        self.output = ""
        self.vars = {}
        self.results = []
        self.names = [name for name, value in case.get("vars", [])]
        for name, value in case.get("vars", []):
            self.vars[name] = self.decode(value)

    def count(self):
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise Limit("calls")

    def note(self, name, args):
        self.trace.append([name, nanoseconds(self.now), [encode(a, 0) for a in args]])

    def clock(self):
        self.count()
        return self.now

    def sleep(self, seconds):
        self.count()
        self.note("sleep", [seconds])
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
            raise ValueError("sleep needs a number of seconds that is not negative")
        self.now += seconds + self.over

    def wait(self, seconds):
        self.count()
        self.note("wait", [seconds])

    def draw(self):
        self.count()
        self.drawn += 1
        return self.decode(self.draws[(self.drawn - 1) % len(self.draws)])

    def ask(self, name, args):
        self.count()
        self.note(name, args)
        number = min(self.sent, len(self.replies) - 1)
        self.sent += 1
        reply = self.replies[number]
        self.now += reply.get("cost", 0) / 1000000000
        if "raise" in reply:
            raise ERRORS[reply["raise"]]("ordered")
        if "value" in reply:
            return self.decode(reply["value"])
        return Reply(self.sent, reply["status"], self.decode(reply.get("after")), reply.get("retryable"))

    def fake(self, name):
        if name in ("clock", "sleep", "wait", "draw"):
            return getattr(self, name)
        return lambda *args: self.ask(name, args)

    def print(self, *args, sep=" ", end="\n", **ignored):
        text = sep.join([str(a) for a in args]) + end
        self.printed += len(text)
        if len(self.output) < KEPT_OUTPUT:
            self.output = (self.output + text)[:KEPT_OUTPUT]
        if self.printed > MAX_OUTPUT:
            raise Limit("output")

    def decode(self, v):
        if isinstance(v, list):
            return [self.decode(x) for x in v]
        if not isinstance(v, dict):
            return v
        if "f" in v:
            f = v["f"]
            return float(f) if isinstance(f, str) else f / 1000000000
        if "t" in v:
            return tuple([self.decode(x) for x in v["t"]])
        if "d" in v:
            return dict([(self.decode(k), self.decode(x)) for k, x in v["d"]])
        if "var" in v:
            return self.vars[v["var"]]
        if "of" in v:
            return self.results[v["of"]]
        if "q" in v:
            return Request(*[self.decode(x) for x in v["q"]])
        return self.fake(v["fake"])


ERRORS = {
    "TimeoutError": TimeoutError,
    "TemporaryError": TemporaryError,
    "InvalidError": InvalidError,
    "ReplyLost": ReplyLost,
    "NetworkError": NetworkError,
}


def nanoseconds(f):
    if f != f:
        return "nan"
    if f in (float("inf"), float("-inf")):
        return "inf" if f > 0 else "-inf"
    if abs(f) > 9.2e9:
        return "large" if f > 0 else "-large"
    return int(round(f * 1e9))


def encode(v, depth):
    if v is None or v is True or v is False:
        return v
    if isinstance(v, int):
        return v if -(2**62) < v < 2**62 else {"o": "int"}
    if isinstance(v, float):
        return {"f": nanoseconds(v)}
    if isinstance(v, str):
        return v if len(v) <= 300 else v[:300] + "…"
    if isinstance(v, Reply):
        return {"r": v.number}
    if depth < MAX_DEPTH and isinstance(v, (list, tuple, dict)) and len(v) <= MAX_ITEMS:
        if isinstance(v, dict):
            return {"d": [[encode(k, depth + 1), encode(x, depth + 1)] for k, x in v.items()]}
        items = [encode(x, depth + 1) for x in v]
        return items if isinstance(v, list) else {"t": items}
    if depth < MAX_DEPTH and isinstance(v, Request):
        return {"q": [encode(x, depth + 1) for x in (v.method, v.path, v.headers)]}
    if depth < MAX_DEPTH and isinstance(v, JSONResponse):
        return {"j": [encode(x, depth + 1) for x in (v.status, v.body, v.headers)]}
    return {"o": "function" if callable(v) else type(v).__name__}


def shares(result, value):
    """Whether a result is the very list or dict that a variable is or holds."""
    if not isinstance(result, (list, dict)):
        return False
    if result is value:
        return True
    return isinstance(value, dict) and any([result is x for x in value.values()])


def line_of(error):
    """The line of the learner's program where it was last, 0 if it was never there."""
    text = io.StringIO()
    sys.print_exception(error, text)
    line = 0
    for part in text.getvalue().split("\n"):
        if part.startswith('  File "program", line '):
            line = int(part[23:].split(",")[0])
    return line


def failure(error):
    """What ended a program early: a limit with its code, or an exception of it."""
    line = line_of(error)
    if isinstance(error, Limit):
        return {"limit": error.code, "text": error.detail, "line": line}
    if isinstance(error, MemoryError):
        return {"limit": "memory", "text": "", "line": line}
    if isinstance(error, RuntimeError) and "recursion" in str(error):
        return {"limit": "recursion", "text": "", "line": line}
    try:
        text = str(error)[:200]
    except BaseException:
        text = ""
    return {"raised": type(error).__name__, "text": text, "line": line}


class Batch:
    """One program and its cases."""

    def __init__(self, text):
        message = json.loads(text)
        self.function = message["function"]
        self.cases = message["cases"]
        self.sources = (("given", message["prelude"]), ("program", message["program"]))
        self.compiled = None

    def namespace(self, world):
        if self.compiled is None:
            self.compiled = [compile(source, name, "exec") for name, source in self.sources]
        names = {"__name__": "program", "print": world.print, "isinstance": learners_isinstance, "JSONResponse": JSONResponse}
        names.update(ERRORS)
        for name in ("open", "input", "eval", "exec", "compile", "help", "globals", "locals"):
            names[name] = refused(name)
        for code in self.compiled:
            exec(code, names)
        return names

    def case(self, i):
        world = World(self.cases[i])
        steps = []
        answer = {"steps": steps}
        try:
            names = self.namespace(world)
            function = names.get(self.function)
            if not callable(function):
                raise Limit("not-defined", self.function)
        except BaseException as e:
            answer["load"] = failure(e)
            answer["out"] = world.output
            return answer
        for step in self.cases[i]["steps"]:
            steps.append(self.step(world, function, step))
            if "limit" in steps[-1]:
                break
        answer["out"] = world.output
        return answer

    def step(self, world, function, step):
        world.trace = []
        if "at" in step:
            world.now = step["at"] / 1000000000
        try:
            target = world.results[step["on"]] if "on" in step else function
            args = [world.decode(a) for a in step["args"]]
            kw = dict([(k, world.decode(a)) for k, a in step.get("kw", [])])
            result = target(*args, **kw)
            world.results.append(result)
            answer = {"ok": encode(result, 0)}
            for name in world.names:
                if shares(result, world.vars[name]):
                    answer["shares"] = name
        except BaseException as e:
            world.results.append(None)
            answer = failure(e)
        answer["trace"] = world.trace
        answer["vars"] = [encode(world.vars[name], 0) for name in world.names]
        return answer


current = None


def start(text):
    global current
    current = Batch(text)
    return len(current.cases)


def run_case(i):
    """Runs one case and returns its line of the answer."""
    return json.dumps(current.case(i))


# From here on nobody can import more. A function tells its globals, so these must not hold the way back.
builtins.__import__ = learners_import
del builtins
