# Connections.
import os
import weakref

from . import host
from .cursor import Cursor
from .errors import DataError, DatabaseError, Error, IntegrityError, InterfaceError, InternalError, NotSupportedError, OperationalError, ProgrammingError, Warning
from .hooks import Hooks
from .statement import Statement

LEGACY_TRANSACTION_CONTROL = -1
OPEN_READWRITE, OPEN_CREATE, OPEN_URI = 2, 4, 64
LEVELS = ('', 'DEFERRED', 'IMMEDIATE', 'EXCLUSIVE')
CACHED = 128


def level(value):
    if value is not None and not isinstance(value, str):
        raise TypeError('isolation_level must be str or None')
    if value is not None and value.upper() not in LEVELS:
        raise ValueError("isolation_level string must be '', 'DEFERRED', 'IMMEDIATE', or 'EXCLUSIVE'")
    return value


class Connection(Hooks):
    """SQLite database connection object."""

    Warning = Warning
    Error = Error
    InterfaceError = InterfaceError
    DatabaseError = DatabaseError
    InternalError = InternalError
    OperationalError = OperationalError
    ProgrammingError = ProgrammingError
    IntegrityError = IntegrityError
    DataError = DataError
    NotSupportedError = NotSupportedError

    def __init__(
        self,
        database,
        timeout=5.0,
        detect_types=0,
        isolation_level='',
        check_same_thread=True,
        cached_statements=CACHED,
        uri=False,
        *,
        autocommit=LEGACY_TRANSACTION_CONTROL,
    ):
        path = os.fsdecode(database)
        if '\0' in path:
            raise ValueError('embedded null byte')
        if autocommit not in (True, False, LEGACY_TRANSACTION_CONTROL):
            raise ValueError('autocommit must be True, False, or sqlite3.LEGACY_TRANSACTION_CONTROL')
        self._handle = 0
        self._detect_types = detect_types
        self._isolation_level = level(isolation_level)
        self._autocommit = autocommit
        self._cursors = weakref.WeakSet()
        self._statements = {}
        self._cached = cached_statements
        self.row_factory = None
        self.text_factory = str
        flags = OPEN_READWRITE | OPEN_CREATE | (OPEN_URI if uri else 0)
        self._handle = host.ask('open', path, flags, None)[1]
        if autocommit is False:
            self._control('BEGIN')

    def _check(self):
        if not hasattr(self, '_handle'):
            raise ProgrammingError('Base Connection.__init__ not called.')
        if not self._handle:
            raise ProgrammingError('Cannot operate on a closed database.')

    def _control(self, sql):
        """Executes a statement that controls a transaction."""
        handle = host.ask('prepare', self._handle, sql)[1]
        try:
            host.ask('many', handle, [[]])
        finally:
            host.ask('finalize', handle)

    def _prepare(self, sql):
        statement = self._statements.get(sql)
        if statement is not None and not statement.in_use:
            self._statements[sql] = self._statements.pop(sql)
            return statement
        fresh = Statement(self, sql)
        if statement is None:
            self._statements[sql] = fresh
            if len(self._statements) > max(self._cached, 1):
                oldest = next(iter(self._statements))
                if not self._statements[oldest].in_use and oldest != sql:
                    self._statements.pop(oldest).finalize()
        return fresh

    def _state(self):
        self._check()
        return host.ask('state', self._handle)

    @property
    def in_transaction(self):
        return not self._state()[3]

    @property
    def total_changes(self):
        return self._state()[1]

    @property
    def isolation_level(self):
        self._check()
        return self._isolation_level

    @isolation_level.setter
    def isolation_level(self, value):
        value = level(value)
        if value is None:
            self._check()
            # As in CPython: what is pending is committed.
            self._isolation_level = None
            if self.in_transaction:
                self._control('COMMIT')
        self._isolation_level = value

    @property
    def autocommit(self):
        self._check()
        return self._autocommit

    @autocommit.setter
    def autocommit(self, value):
        self._check()
        if value not in (True, False, LEGACY_TRANSACTION_CONTROL):
            raise ValueError('autocommit must be True, False, or sqlite3.LEGACY_TRANSACTION_CONTROL')
        if value is True and self.in_transaction:
            self._control('COMMIT')
        elif value is False and not self.in_transaction:
            self._control('BEGIN')
        self._autocommit = value

    def cursor(self, factory=Cursor):
        """Return a cursor for the connection."""
        self._check()
        cursor = factory(self)
        if not isinstance(cursor, Cursor):
            raise TypeError(f'factory must return a cursor, not {type(cursor).__name__}')
        if self.row_factory is not None:
            cursor.row_factory = self.row_factory
        return cursor

    def execute(self, sql, parameters=(), /):
        """Executes an SQL statement."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql, parameters, /):
        """Repeatedly executes an SQL statement."""
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql_script, /):
        """Executes multiple SQL statements at once."""
        return self.cursor().executescript(sql_script)

    def __call__(self, sql, /):
        self._check()
        return Statement(self, sql)

    def _end(self, how):
        self._check()
        if self._autocommit == LEGACY_TRANSACTION_CONTROL:
            if self.in_transaction:
                self._control(how)
        elif self._autocommit is False:
            self._control(how)
            self._control('BEGIN')

    def commit(self):
        """Commit any pending transaction to the database."""
        self._end('COMMIT')

    def rollback(self):
        """Roll back to the start of any pending transaction."""
        self._end('ROLLBACK')

    def __enter__(self):
        """Called when the connection is used as a context manager."""
        self._check()
        return self

    def __exit__(self, type, value, traceback, /):
        """Called when the connection is used as a context manager."""
        if self._autocommit is True and not self.in_transaction:
            return False
        if type is not None:
            self.rollback()
            return False
        try:
            self.commit()
        except BaseException:
            self.rollback()
            raise
        return False

    def close(self):
        """Close the database connection."""
        if not hasattr(self, '_handle'):
            raise ProgrammingError('Base Connection.__init__ not called.')
        if not self._handle:
            return
        for cursor in list(self._cursors):
            cursor._release()
        if self._autocommit is False and self.in_transaction:
            self._control('ROLLBACK')
        handle, self._handle = self._handle, 0
        for statement in self._statements.values():
            statement.finalize()
        self._statements.clear()
        host.ask('close', handle)

    def __del__(self):
        try:
            if getattr(self, '_handle', 0):
                import warnings

                warnings.warn(f'unclosed database in {self!r}', ResourceWarning, 1, source=self)
                self.close()
        except Exception:
            pass


Connection.__module__ = 'sqlite3'
