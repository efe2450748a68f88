# CPython's module _sqlite3, on which its package sqlite3 is built. SQLite itself runs beside the interpreter.
from . import host as _host
from .connection import LEGACY_TRANSACTION_CONTROL, Connection
from .constants import CONSTANTS as _CONSTANTS
from .cursor import Cursor
from .errors import DataError, DatabaseError, Error, IntegrityError, InterfaceError, InternalError, NotSupportedError, OperationalError, ProgrammingError, Warning
from .values import PARSE_COLNAMES, PARSE_DECLTYPES, PrepareProtocol, Row, adapt, adapters, converters, register_adapter, register_converter

globals().update(_CONSTANTS)
# Of the module that scripts/runtimes/sqlite.ts pins.
sqlite_version = '3.54.1'
_deprecated_version = '2.6.0'
threadsafety = 0


class Blob:
    """Not available; see Connection.blobopen."""

    def __init__(self):
        raise TypeError("cannot create 'sqlite3.Blob' instances")


Blob.__module__ = 'sqlite3'


def connect(database, *args, factory=Connection, **more):
    """Open a connection to the SQLite database file 'database'."""
    # The sixth argument by position is the factory.
    if len(args) > 4:
        args = list(args)
        factory = args.pop(4)
    return factory(database, *args, **more)


def complete_statement(statement):
    """Checks if a string contains a complete SQL statement."""
    return bool(_host.ask('complete', statement)[1])


def enable_callback_tracebacks(enable, /):
    """Enable or disable callback functions throwing errors to stderr."""
    _host.tracebacks = bool(enable)
