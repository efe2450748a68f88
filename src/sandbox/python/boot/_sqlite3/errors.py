# The exceptions of the DB-API, and which of them reports which code of SQLite.
from .constants import CODE_NAMES


class Warning(Exception):
    pass


class Error(Exception):
    pass


class InterfaceError(Error):
    pass


class DatabaseError(Error):
    pass


class InternalError(DatabaseError):
    pass


class OperationalError(DatabaseError):
    pass


class ProgrammingError(DatabaseError):
    pass


class IntegrityError(DatabaseError):
    pass


class DataError(DatabaseError):
    pass


class NotSupportedError(DatabaseError):
    pass


for kind in (Warning, Error, InterfaceError, DatabaseError, InternalError, OperationalError, ProgrammingError, IntegrityError, DataError, NotSupportedError):
    kind.__module__ = 'sqlite3'
del kind

KINDS = {2: InternalError, 12: InternalError, 11: DatabaseError, 18: DataError, 19: IntegrityError, 20: IntegrityError, 21: InterfaceError, 25: InterfaceError}
for number in (1, 3, 4, 5, 6, 8, 9, 10, 13, 14, 15, 16, 17):
    KINDS[number] = OperationalError
del number
NO_MEMORY = 7


def exception(code, message, extended):
    """The exception for a code of SQLite."""
    if code == NO_MEMORY:
        return MemoryError()
    error = KINDS.get(code, DatabaseError)(message)
    error.sqlite_errorcode = extended
    error.sqlite_errorname = CODE_NAMES.get(extended, CODE_NAMES.get(code, 'unknown'))
    return error
