"""What hostile submissions try: first to reach something, then to get points, then to hang us.

`REACHES` are pieces of code that print True where they reach what they want; the same code, started
without a sandbox, does reach it, and so shows that it could. `EVERY_KIND` are notebooks in which
each exercise is answered by an attack, with the status that its answer must get; `SAMPLE` has one
attack of each kind.
"""

from dataclasses import dataclass, field

CHAPTER = "00_what_a_transformer_does"
EXERCISES = ("dot_products", "gradient", "squared_error", "shift_rows", "adam_step", "descend")
RIGHT = "right"  # no attack, but the book's own solution, which must be unharmed
WRONG, STOPPED, MISSING = "wrong", "stopped", "missing"


# Each may use `task`, which says where things are; what counts is the value of `reached`.
REACHES = {
    "read class.json": "reached = task['secret'] in open(task['class.json']).read()",
    "read another student's work": "reached = 'cells' in open(task['other']).read()",
    "read what was graded": "reached = bool(open(task['graded']).read())",
    "read the book's solutions": "reached = bool(open(task['book']).read())",
    "read the tests of the book": "reached = bool(open(task['tests']).read())",
    "import the grader": "import classroom.grading; reached = True",
    "call the reference": """
        from lessons.kit import exercises
        import torch
        found = exercises.what_a_transformer_does.dot_products
        reached = torch.is_tensor(found.reference(torch.ones(2, 3), torch.ones(2, 3)))
    """,
    "find a reference among all objects": """
        import gc, types
        from lessons.kit import exercises
        exercises.what_a_transformer_does
        reached = any(
            type(f) is types.FunctionType and str(f.__module__).endswith('dot_products')
            for f in gc.get_objects()
        )
    """,
    "read the grader's environment": """
        import os
        texts = [open(f'/proc/{n}/environ').read() for n in map(str, task['pids'])]
        reached = any(task['marker'] in text for text in texts)
    """,
    "inherit an environment": "import os; reached = task['marker'] in os.environ.values()",
    "see the grader": """
        import os
        reached = False
        for name in filter(str.isdecimal, os.listdir('/proc')):
            try:
                reached = reached or task['cmdline'] == open(f'/proc/{name}/cmdline').read()
            except OSError:
                pass
    """,
    "send a signal to the grader": "import os; os.kill(task['pids'][0], 0); reached = True",
    "trace another process": """
        import ctypes, os
        PTRACE_SEIZE = 0x4206
        libc = ctypes.CDLL(None, use_errno=True)
        child = os.fork()
        if not child:
            import signal
            signal.pause()
        reached = libc.ptrace(PTRACE_SEIZE, child, 0, 0) == 0
        os.kill(child, 9)
        os.waitpid(child, 0)
    """,
    "connect to the machine by TCP": """
        import socket
        socket.create_connection(('127.0.0.1', task['port']), 2).close()
        reached = True
    """,
    "send a datagram": """
        import socket
        socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', task['port']))
        reached = [a for a in open('/proc/net/dev').read().split() if a.endswith(':')] != ['lo:']
    """,
    "connect to a unix socket": """
        import socket
        socket.socket(socket.AF_UNIX).connect(task['unix'])
        reached = True
    """,
    "connect to an abstract unix socket": """
        import socket
        socket.socket(socket.AF_UNIX).connect('\\0' + task['abstract'])
        reached = True
    """,
    "write where the grades lie": "open(task['graded'], 'a').close(); reached = True",
    "write into the package": """
        import pathlib, transformer_lite
        (pathlib.Path(transformer_lite.__file__).parent / 'mine.tmp').write_text('')
        reached = True
    """,
    "keep memory in pairs of sockets": "import socket; reached = bool(socket.socketpair())",
    "reach the machine beneath": "import socket; reached = bool(socket.socket(40, 1))",
    "make a memory that nobody counts": "import os; os.memfd_create('x'); reached = True",
    "make a namespace of users": """
        import ctypes
        reached = ctypes.CDLL(None).unshare(0x10000000) == 0
    """,
    "have the rights of the administrator": """
        status = open('/proc/self/status').read()
        reached = 'CapEff:\\t0000000000000000' not in status
    """,
    "link out of the scratch folder": """
        import os
        os.symlink(task['class.json'], os.path.join(task['scratch'], 'link'))
        reached = task['secret'] in open(os.path.join(task['scratch'], 'link')).read()
    """,
}

#: All others do reach what they want where nothing confines them.
NOT_TRIED_OUTSIDE = {
    "send a datagram": "a machine may have no network card",
    "reach the machine beneath": "a machine may have none beneath it",
    "make a namespace of users": "it would stay for the rest of the process",
    "have the rights of the administrator": "an ordinary user has none",
    "write where the grades lie": "it writes",
    "write into the package": "it writes",
}


@dataclass(frozen=True)
class Hostile:
    """A submission of attacks.

    Args:
        name: of the student.
        answers: the source of each answer, or RIGHT, by the exercise's short name. NAME in it
            stands for that name.
        statuses: what each answer must get; RIGHT where nothing is said.
        more: cells of its own, which run before the answers.
        words: what the message of an answer must contain.
    """

    name: str
    answers: dict[str, str]
    statuses: dict[str, str]
    more: tuple[str, ...] = ()
    words: dict[str, str] = field(default_factory=dict)


PRETENDERS = Hostile(
    "answers that pretend to be equal",
    {
        "dot_products": """
class Equal:
    def __eq__(self, other): return True
    def __getattr__(self, name): return lambda *_: True
def NAME(*given): return Equal()
""",
        "gradient": """
class Mine(torch.Tensor):
    def __eq__(self, other): return torch.ones_like(self).bool()
    def tolist(self): return Mine
def NAME(*given): return torch.zeros(1).as_subclass(Mine)
""",
        "squared_error": """
class Mine(list):
    def __eq__(self, other): return True
    def __iter__(self): raise SystemExit
def NAME(*given): return Mine([1.0])
""",
        "shift_rows": """
class Mine:
    @property
    def __class__(self): return torch.Tensor
    def size(self): return (1,)
def NAME(*given): return Mine()
""",
        "adam_step": """
class NAME:
    def __init__(self, *given): pass
""",
        "descend": """
count = 0
def NAME(x, y, w, rate, steps):
    global count
    count += 1
    if count > 2:
        return w
    w = w.clone().requires_grad_()
    for _ in range(steps):
        w.grad = None
        ((x @ w - y) ** 2).mean().backward()
        with torch.no_grad():
            w -= rate * w.grad
    return w.detach()
""",
    },
    dict.fromkeys(EXERCISES, WRONG),
)

SEARCHERS = Hostile(
    "answers that search for the right one",
    {
        "dot_products": """
def NAME(*given):
    import sys
    frame = sys._getframe()
    while frame:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if hasattr(value, "reference"):
                return value.reference(*given)
        frame = frame.f_back
""",
        "gradient": """
def NAME(*given):
    import gc
    from lessons.kit.exercises import Exercise
    for found in gc.get_objects():
        if isinstance(found, Exercise) and found.name.endswith("NAME"):
            return found.reference(*given)
""",
        "squared_error": """
def NAME(*given):
    from lessons.kit import exercises
    return exercises.what_a_transformer_does.NAME.right_answers[0](*given)
""",
        "shift_rows": """
def NAME(*given):
    from lessons.kit import exercises
    from lessons.kit.exercises.snapshot import take_snapshot
    from lessons.kit.exercises.serialize import _restore
    known = exercises.what_a_transformer_does.NAME
    for case, outcome in zip(known.cases, known.outcomes):
        if [take_snapshot(v) for v in case.inputs.values()] == [take_snapshot(v) for v in given]:
            return _restore(outcome.answer)
    return given[0]
""",
        "adam_step": """
def NAME(*given):
    import inspect, sys
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if "NAME" in name and callable(value) and value is not NAME:
                return value(*given)
    raise LookupError(str(given))
""",
        "descend": """
class Bait:
    def __reduce__(self): return (open, ("/scratch/unpickled", "w"))
def NAME(*given): return [Bait()]
""",
    },
    dict.fromkeys(EXERCISES, WRONG),
    words={"shift_rows": "hidden case"},
)

PATCHERS = Hostile(
    "torch and numpy patched",
    dict.fromkeys(EXERCISES, "def NAME(*given): return torch.zeros(())"),
    dict.fromkeys(EXERCISES, WRONG),
    more=(
        """
import numpy, builtins, json, math
def yes(*_, **__): return True
for owner in (torch, numpy):
    for name in ("allclose", "equal", "isclose", "array_equal"):
        setattr(owner, name, yes)
torch.testing.assert_close = yes
torch.Tensor.__eq__ = torch.Tensor.allclose = torch.Tensor.equal = yes
torch.Tensor.tolist = lambda self: [0.0]
""",
        """
from lessons.kit.exercises import differences, exercise, outcome, reading
for module in (differences, exercise, outcome):
    module.alike = module.first_difference = lambda *_: None
exercise.Exercise.judge = exercise.Exercise.check = lambda *_: exercise.Result(True, "right")
reading.Reading.__eq__ = lambda *_: True
""",
        """
import sys, types
class Fake(types.ModuleType):
    def __getattr__(self, name): return self
    def __call__(self, *_, **__): return True
for name in ("classroom", "classroom.grading", "reference"):
    sys.modules[name] = Fake(name)
""",
    ),
)

FORGERS = Hostile(
    "results written by oneself",
    dict.fromkeys(EXERCISES, "def NAME(*given): return 1"),
    {
        "dot_products": STOPPED,
        "gradient": STOPPED,
        "squared_error": STOPPED,
        "shift_rows": STOPPED,
        "adam_step": WRONG,
        "descend": STOPPED,
    },
    more=(
        """
import json, os
ours = [int(n) for n in os.listdir("/proc/self/fd") if int(n) > 2]
def say(what):
    for number in ours:
        try:
            os.write(number, (json.dumps(what) if type(what) is dict else what).encode() + b"\\n")
        except OSError:
            pass
place = "what_a_transformer_does."
say({"exercise": place + "dot_products", "passed": True, "points": 100})
say({"exercise": place + "gradient", "outcomes": []})
say({"exercise": place + "squared_error", "outcomes": [[[]]], "idle": 1})
say({"exercise": place + "shift_rows", "outcomes": {"error": 3}})
say({"exercise": ["unhashable"], "cell": {}, "at": [1, {}]})
say("[" * 100_000)
say("9" * 10_000)
say('{"exercise": "' + place + 'descend", "outcomes": [' + "[" * 900 + "]" * 900 + "]}")
""",
        """
os.symlink("/etc/passwd", "/scratch/result.json")
os.mkfifo("/scratch/results.json")
os.mkdir("/scratch/outcomes.json")
open("/scratch/grades.json", "w").write(json.dumps({"points": 100}))
""",
    ),
)

BOMBS = Hostile(
    "processes that die",
    {
        "dot_products": "def NAME(*given):\n    import os\n    os._exit(0)",
        "gradient": """
def NAME(*given):
    import os
    for name in filter(str.isdecimal, os.listdir("/proc")):
        if int(name) != os.getpid():
            try: os.kill(int(name), 9)
            except OSError: pass
    os.kill(os.getpid(), 9)
""",
        "squared_error": """
def NAME(*given):
    kept = []
    while True:
        kept.append(b"x" * (1 << 24))
""",
        "shift_rows": """
def NAME(*given):
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass
""",
        "adam_step": RIGHT,
        "descend": RIGHT,
    },
    dict.fromkeys(("dot_products", "gradient", "squared_error", "shift_rows"), STOPPED),
    words={
        "dot_products": "ended before it had answered",
        "gradient": "was killed",
        "shift_rows": "it was stopped",
        "squared_error": "more memory",
    },
)

NUISANCES = Hostile(
    "answers that use all there is",
    {
        "dot_products": """
def NAME(*given):
    import os
    while True:
        try: os.fork()
        except OSError: os._exit(1)
""",
        "gradient": "def NAME(*given): return NAME(*given)",
        "squared_error": "def NAME(*given): return [list(range(15_000)) for _ in range(1)]",
        "shift_rows": """
def NAME(*given):
    import sys
    while True:
        sys.stdout.write("x" * 99999)
""",
        "adam_step": """
def NAME(*given):
    for number in range(100):
        with open(f"/scratch/{number}", "wb") as file:
            file.write(bytes(1 << 22))
    return given
""",
        "descend": RIGHT,
    },
    {
        "dot_products": STOPPED,
        "gradient": WRONG,
        "squared_error": STOPPED,
        "shift_rows": WRONG,
        "adam_step": WRONG,
    },
    words={"gradient": "RecursionError", "squared_error": "too large", "adam_step": "OSError"},
)

LATECOMERS = Hostile(
    "cells that stay when they are gone",
    {
        "dot_products": "raise SystemExit\ndef NAME(*given): return 1",
        "gradient": "%%bash\ncurl http://example.org\n",
        "squared_error": RIGHT,
        "shift_rows": "NAME = 3",
        "adam_step": RIGHT,
        "descend": RIGHT,
    },
    {"dot_products": MISSING, "gradient": "idle", "shift_rows": WRONG},
    more=(
        "!rm -rf /\n%cd /\nfiles = !ls /\nget_ipython().system('ls')\nprint?\nkept = 3",
        "assert kept == 3\nimport atexit\natexit.register(lambda: open('/scratch/late', 'w'))",
        """
import threading
def again():
    while True:
        torch.manual_seed(1)
        torch.set_default_dtype(torch.float32)
threading.Thread(target=again, daemon=True).start()
""",
        "import sys\nsys.exit(1)",
        "raise KeyboardInterrupt",
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)",
        "x = 'the print of a whole disk'\nfor _ in range(20_000): print(x * 1000)",
    ),
)


FORGERY = """
import json, os
told = {"exercise": "what_a_transformer_does.descend", "outcomes": []}
for number in [int(n) for n in os.listdir("/proc/self/fd") if int(n) > 2]:
    try:
        os.write(number, json.dumps(told).encode() + b"\\n")
    except OSError:
        pass
"""

SAMPLE = Hostile(
    "one attack of each kind",
    {
        "dot_products": PRETENDERS.answers["dot_products"],
        "gradient": SEARCHERS.answers["gradient"],
        "squared_error": BOMBS.answers["dot_products"],
        "shift_rows": "%%bash\ncurl http://example.org\n",
        "adam_step": RIGHT,
        "descend": "def NAME(*given): return 1",
    },
    {
        "dot_products": WRONG,
        "gradient": WRONG,
        "squared_error": STOPPED,
        "shift_rows": "idle",
        "descend": STOPPED,
    },
    more=(FORGERY,),
)

EVERY_KIND = (PRETENDERS, SEARCHERS, PATCHERS, FORGERS, LATECOMERS, BOMBS, NUISANCES)
