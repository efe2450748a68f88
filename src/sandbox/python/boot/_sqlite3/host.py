# The way to SQLite, which runs beside the interpreter (src/sandbox/python/sqlite/): requests and answers in the
# format of marshal. SQLite may call back in the middle of a request.
import sys
from marshal import dumps, loads

from .errors import exception

# The host's call, of which boot/start.py keeps the original.
system = sys._satchel[2]
# Where bytes of CPython begin, from their object.
BYTES_START = 16
CAPACITY = 65536
buffer = bytearray(CAPACITY)
free_buffers = [buffer]
# What SQLite calls, by number.
callbacks = {}
# States of aggregates, by number.
aggregates = {}
tracebacks = False


class Failure(Exception):
    """A value that SQLite cannot store; its reason is the argument."""


def register(callback):
    """Gives a callback a number. It keeps it: SQLite does not say when it no longer needs it."""
    number = len(callbacks) + 1
    callbacks[number] = callback
    return number


def send(request):
    data = dumps(request, 2)
    # An answer is read before the next request, but a callback sends its own.
    answer = free_buffers.pop() if free_buffers else bytearray(CAPACITY)
    length = system(f' sqlite {id(data) + BYTES_START} {len(data)} {id(answer)} {CAPACITY}')
    if length > CAPACITY:
        free_buffers.append(answer)
        answer = bytearray(length)
        system(f' sqlite-copy {id(answer)}')
        return loads(answer)
    result = loads(answer)
    free_buffers.append(answer)
    return result


def ask(*request):
    """The answer to a request. Raises the exception of an error."""
    answer = send(request)
    while answer[0] == 'call':
        answer = send(('resume', *called(*answer[1:])))
    if answer[0] == 'error':
        _, code, message, _, extended = answer
        if code == 1 and extended == -1:
            raise Failure(message)
        raise exception(code, message, extended)
    return answer


def called(kind, number, instance, arguments):
    """What a callback results in: whether it succeeded, and its value or a message."""
    try:
        return CALLS[kind](callbacks[number], number, instance, [plain(value) for value in arguments])
    except Exception:
        if tracebacks:
            sys.unraisablehook(Unraisable(sys.exc_info(), callbacks[number]))
        return FAILURES.get(kind, (False, f"user-defined aggregate's '{METHODS.get(kind)}' method raised error"))


class Unraisable:
    def __init__(self, error, object):
        self.exc_type, self.exc_value, self.exc_traceback = error
        self.err_msg = None
        self.object = object


def plain(value):
    """Undoes the form of text that is not UTF-8."""
    return value[0].decode() if type(value) is tuple else value


def result(value):
    """A value that SQLite takes."""
    if value is None or type(value) in (int, float, str, bytes):
        return (False, 'string or blob too big') if type(value) is int and not -(1 << 63) <= value < 1 << 63 else (True, value)
    if isinstance(value, int):
        return True, int(value)
    if isinstance(value, float):
        return True, float(value)
    if isinstance(value, str):
        return True, str.__str__(value)
    return True, bytes(memoryview(value))


def call_function(function, number, instance, arguments):
    value = function(*arguments)
    outcome = result(value)
    if outcome[0] is False:
        raise OverflowError
    return outcome


def aggregate(kind, number, instance):
    key = number, instance
    if key not in aggregates:
        try:
            aggregates[key] = kind()
        except Exception:
            aggregates[key] = None
            raise NoInstance
    if aggregates[key] is None:
        raise NoInstance
    return aggregates[key]


class NoInstance(Exception):
    pass


NOT_MADE = False, "user-defined aggregate's '__init__' method raised error"


def call_step(kind, number, instance, arguments):
    try:
        state = aggregate(kind, number, instance)
    except NoInstance:
        return NOT_MADE
    state.step(*arguments)
    return True, None


def call_inverse(kind, number, instance, arguments):
    aggregate(kind, number, instance).inverse(*arguments)
    return True, None


def call_value(kind, number, instance, arguments):
    return result(aggregate(kind, number, instance).value())


def call_final(kind, number, instance, arguments):
    if instance == 0:
        # There was no row.
        return True, None
    try:
        state = aggregate(kind, number, instance)
    except NoInstance:
        return NOT_MADE
    aggregates.pop((number, instance), None)
    return result(state.finalize())


def call_collation(compare, number, instance, arguments):
    order = compare(*arguments)
    return True, (order > 0) - (order < 0)


def call_progress(poll, number, instance, arguments):
    return True, 1 if poll() else 0


def call_authorizer(authorize, number, instance, arguments):
    answer = authorize(*arguments)
    return True, answer if isinstance(answer, int) else 1


def call_trace(trace, number, instance, arguments):
    trace(*arguments)
    return True, 0


CALLS = {
    'function': call_function,
    'step': call_step,
    'inverse': call_inverse,
    'value': call_value,
    'final': call_final,
    'collation': call_collation,
    'progress': call_progress,
    'authorizer': call_authorizer,
    'trace': call_trace,
}
METHODS = {'step': 'step', 'inverse': 'inverse', 'value': 'value', 'final': 'finalize'}
FAILURES = {
    'function': (False, 'user-defined function raised exception'),
    'collation': (True, 0),
    'progress': (True, 1),
    'authorizer': (True, 1),
    'trace': (True, 0),
}
