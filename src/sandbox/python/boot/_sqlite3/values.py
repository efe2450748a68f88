# Values: adapters from Python's types, converters to them, and rows that are read by name.
import sys

from .errors import ProgrammingError

PARSE_DECLTYPES = 1
PARSE_COLNAMES = 2
SIMPLE = frozenset((type(None), int, float, str, bytes))
adapters = {}
converters = {}


class PrepareProtocol:
    """PEP 246 style object adaption protocol type."""


PrepareProtocol.__module__ = 'sqlite3'


def register_adapter(type, adapter, /):
    """Register a function to adapt Python objects to SQLite values."""
    adapters[type, PrepareProtocol] = adapter


def register_converter(typename, converter, /):
    """Register a function to convert SQLite values to Python objects."""
    converters[typename.upper()] = converter


MISSING = object()


def adapt(obj, proto=PrepareProtocol, alt=MISSING, /):
    """Adapt given object to given protocol."""
    adapter = adapters.get((type(obj), proto))
    if adapter is not None:
        return adapter(obj)
    for side, other in ((proto, '__adapt__'), (obj, '__conform__')):
        method = getattr(side, other, None)
        if method is not None:
            adapted = method(obj if side is proto else proto)
            if adapted is not None:
                return adapted
    if alt is not MISSING:
        return alt
    raise ProgrammingError("can't adapt")


def parameter(value, name):
    """A parameter in a form that the host reads."""
    if type(value) in SIMPLE:
        return value
    if type(value) is not bytearray:
        value = adapt(value, PrepareProtocol, value)
    if type(value) in SIMPLE:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise ProgrammingError(f"Error binding parameter {name}: type '{type(value).__name__}' is not supported") from None


def bindings(parameters, names):
    """The values of a statement's parameters in their order. `names` has None for those without a name."""
    if type(parameters) in (tuple, list) or (not isinstance(parameters, dict) and hasattr(parameters, '__getitem__') and hasattr(parameters, '__len__') and not hasattr(parameters, 'keys')):
        count = len(parameters)
        if count != len(names):
            raise ProgrammingError(f'Incorrect number of bindings supplied. The current statement uses {len(names)}, and there are {count} supplied.')
        warn_of_names(names)
        return [value if type(value) in SIMPLE else parameter(value, index + 1) for index, value in enumerate(parameters)]
    if not hasattr(parameters, 'keys'):
        raise ProgrammingError('parameters are of unsupported type')
    values = []
    for index, name in enumerate(names):
        if name is None:
            raise ProgrammingError(f'Binding {index + 1} has no name, but you supplied a dictionary (which has only names).')
        try:
            value = parameters[name[1:]]
        except LookupError:
            raise ProgrammingError(f'You did not supply a value for binding parameter :{name[1:]}.') from None
        values.append(parameter(value, index + 1))
    return values


def warn_of_names(names):
    for index, name in enumerate(names):
        if name is not None and name[:1] != '?':
            import warnings

            message = f"Binding {index + 1} ('{name}') is a named parameter, but you supplied a sequence which requires nominal (qmark) placeholders. Starting with Python 3.14 an sqlite3.ProgrammingError will be raised."
            warnings.warn(message, DeprecationWarning, 4)


class Row:
    __slots__ = ('_values', '_names')

    def __new__(cls, cursor, data, /):
        from .cursor import Cursor

        if not isinstance(cursor, Cursor):
            raise TypeError(f'Row() argument 1 must be sqlite3.Cursor, not {type(cursor).__name__}')
        if not isinstance(data, tuple):
            raise TypeError(f'Row() argument 2 must be tuple, not {type(data).__name__}')
        row = object.__new__(cls)
        row._values = data
        row._names = tuple(column[0] for column in cursor.description or ())
        return row

    def keys(self):
        """Returns the keys of the row."""
        return list(self._names)

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __getitem__(self, key):
        if isinstance(key, (int, slice)):
            return self._values[key] if isinstance(key, slice) else self._at(key)
        if isinstance(key, str):
            for index, name in enumerate(self._names):
                if name == key or (name.isascii() and key.isascii() and name.lower() == key.lower()):
                    return self._values[index]
            raise IndexError('No item with that key')
        raise IndexError('Index must be int or string')

    def _at(self, index):
        try:
            return self._values[index]
        except IndexError:
            raise IndexError('tuple index out of range') from None

    def __hash__(self):
        return hash(self._names) ^ hash(self._values)

    def __eq__(self, other):
        if not isinstance(other, Row):
            return NotImplemented
        return self._names == other._names and self._values == other._values

    def __repr__(self):
        return f'<sqlite3.Row object at {id(self):#x}>'


Row.__module__ = 'sqlite3'
sys.modules['collections.abc'].Sequence.register(Row)
