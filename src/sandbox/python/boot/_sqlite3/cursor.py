# Cursors: they execute statements and fetch rows.
from .errors import OperationalError, ProgrammingError
from .host import Failure, ask
from .statement import rejected
from .values import PARSE_COLNAMES, PARSE_DECLTYPES, bindings, converters

# How many rows of parameters one request has.
MANY = 500


class Cursor:
    """SQLite database cursor class."""

    def __init__(self, connection, /):
        from .connection import Connection

        if not isinstance(connection, Connection):
            raise TypeError(f'Cursor() argument 1 must be sqlite3.Connection, not {type(connection).__name__}')
        self.connection = connection
        self.description = None
        self.lastrowid = None
        self.rowcount = -1
        self.arraysize = 1
        self.row_factory = connection.row_factory
        self._statement = None
        self._next = None
        self._converters = None
        self._closed = False
        connection._cursors.add(self)

    def _check(self):
        if not hasattr(self, '_closed'):
            raise ProgrammingError('Base Cursor.__init__ not called.')
        if self._closed:
            raise ProgrammingError('Cannot operate on a closed cursor.')
        self.connection._check()

    def _release(self):
        """Gives the statement back, if it has not run to its end."""
        statement, self._statement, self._next = self._statement, None, None
        if statement is not None:
            statement.in_use = False
            if statement.handle:
                ask('reset', statement.handle)

    def execute(self, sql, parameters=(), /):
        """Executes an SQL statement."""
        self._check()
        self._start(sql)
        statement = self._statement
        if statement.handle == 0:
            if parameters:
                bindings(parameters, ())
            self._statement = None
            return self
        values = bindings(parameters, statement.names)
        self._begin(statement)
        self._describe(statement)
        try:
            self._take(ask('run', statement.handle, values, 1, self._raw), first=True)
        except Failure as failure:
            self._release()
            raise rejected(failure, values) from None
        except BaseException:
            self._release()
            raise
        return self

    def _start(self, sql):
        self._release()
        self.rowcount = -1
        self.description = None
        self._statement = self.connection._prepare(sql)
        self._statement.in_use = True

    def _begin(self, statement):
        connection = self.connection
        if statement.is_dml:
            self.rowcount = 0
            if connection.autocommit == -1 and connection.isolation_level is not None and not connection.in_transaction:
                connection._control(f'BEGIN {connection.isolation_level}'.rstrip())

    def _describe(self, statement):
        if not statement.columns:
            return
        connection = self.connection
        colnames = connection._detect_types & PARSE_COLNAMES
        names = [name.partition('[')[0].rstrip() if colnames else name for name in statement.columns]
        self.description = tuple((name, None, None, None, None, None, None) for name in names)
        self._converters = None
        if connection._detect_types:
            self._converters = [self._converter(*pair) for pair in zip(statement.columns, statement.types)]
        self._raw = self._converters is not None or connection.text_factory is not str

    _raw = False

    def _converter(self, name, declared):
        detect = self.connection._detect_types
        if detect & PARSE_COLNAMES and '[' in name:
            kind = name.partition('[')[2].partition(']')[0]
            found = converters.get(kind.upper())
            if found is not None:
                return found
        if detect & PARSE_DECLTYPES and declared:
            for end, letter in enumerate(declared):
                if letter in ' (':
                    declared = declared[:end]
                    break
            return converters.get(declared.upper())
        return None

    def _take(self, answer, first=False):
        rows, done, odd, changes, total, rowid, _, _ = answer
        statement = self._statement
        self._next = self._converted(rows[0], odd) if rows else None
        if done:
            if statement.is_dml:
                self.rowcount = changes
            statement.in_use = False
            self._statement = None
        if first:
            self.lastrowid = rowid

    def _converted(self, row, odd):
        if not odd and self._converters is None and not self._raw:
            return row
        factory = self.connection.text_factory
        values = []
        for index, value in enumerate(row):
            converter = self._converters[index] if self._converters else None
            if converter is not None:
                if value is not None:
                    value = value[0] if type(value) is tuple else value if type(value) is bytes else str(value).encode()
                    value = converter(value)
            elif type(value) is tuple:
                value = self._text(value[0], factory, index)
            values.append(value)
        return tuple(values)

    def _text(self, value, factory, index):
        if factory is bytes:
            return value
        if factory is not str:
            return factory(value)
        try:
            return value.decode()
        except UnicodeDecodeError:
            text = value.decode('utf-8', 'replace')
            raise OperationalError(f"Could not decode to UTF-8 column '{self.description[index][0]}' with text '{text}'") from None

    def executemany(self, sql, seq_of_parameters, /):
        """Repeatedly executes an SQL statement."""
        self._check()
        self._start(sql)
        statement = self._statement
        if statement.handle and statement.readonly and not statement.is_dml:
            self._release()
            raise ProgrammingError('executemany() can only execute DML statements.')
        try:
            self._begin(statement)
            if statement.handle:
                self._run_many(statement, iter(seq_of_parameters))
        finally:
            self._release()
        return self

    def _run_many(self, statement, rows):
        batch = []
        changed = 0
        ended = False
        while not ended:
            problem = None
            try:
                for parameters in rows:
                    batch.append(bindings(parameters, statement.names))
                    if len(batch) == MANY:
                        break
                else:
                    ended = True
            except BaseException as error:
                # What came before it is executed, as one by one.
                problem = error
            if batch:
                try:
                    changed += ask('many', statement.handle, batch)[0]
                except Failure as failure:
                    raise rejected(failure, [value for row in batch for value in row]) from None
                batch = []
            if problem is not None:
                raise problem
        if statement.is_dml:
            self.rowcount = changed

    def executescript(self, sql_script, /):
        """Executes multiple SQL statements at once."""
        self._check()
        if not isinstance(sql_script, str):
            raise TypeError(f'executescript() argument must be str, not {type(sql_script).__name__}')
        if '\0' in sql_script:
            raise ValueError('embedded null character')
        connection = self.connection
        if connection.autocommit == -1 and connection.in_transaction:
            connection._control('COMMIT')
        while sql_script:
            _, handle, rest, *_ = ask('prepare', connection._handle, sql_script)
            if handle:
                try:
                    ask('many', handle, [[]])
                finally:
                    ask('finalize', handle)
            sql_script = rest or ''
        return self

    def __iter__(self):
        return self

    def __next__(self):
        self._check()
        row = self._next
        if row is None:
            raise StopIteration
        if self._statement is not None:
            try:
                self._take(ask('next', self._statement.handle, 1, self._raw))
            except BaseException:
                self._release()
                raise
        else:
            self._next = None
        factory = self.row_factory
        return row if factory is None else factory(self, row)

    def fetchone(self):
        """Fetches one row from the resultset."""
        return next(self, None)

    def fetchmany(self, size=None):
        """Fetches several rows from the resultset."""
        size = self.arraysize if size is None else size
        rows = []
        for row in self:
            rows.append(row)
            if len(rows) == size:
                break
        return rows

    def fetchall(self):
        """Fetches all rows from the resultset."""
        self._check()
        rows = []
        factory = self.row_factory
        while self._next is not None:
            if self._statement is None or factory is not None or self._raw:
                rows.extend(self)
                break
            rows.append(self._next)
            try:
                answer = ask('next', self._statement.handle, 1 << 30, False)
            except BaseException:
                self._release()
                raise
            more, done, odd = answer[:3]
            rows.extend([self._converted(row, odd) for row in more] if odd else more)
            self._take(((), *answer[1:]))
            if not done:
                self._next = rows.pop()
        return rows

    def close(self):
        """Closes the cursor."""
        if not hasattr(self, '_closed'):
            raise ProgrammingError('Base Cursor.__init__ not called.')
        self.connection._check()
        self._release()
        self._closed = True

    def setinputsizes(self, sizes, /):
        """Required by DB-API. Does nothing in sqlite3."""

    def setoutputsize(self, size, column=None, /):
        """Required by DB-API. Does nothing in sqlite3."""

    def __del__(self):
        try:
            if self._statement is not None and self.connection._handle:
                self._release()
        except Exception:
            pass


Cursor.__module__ = 'sqlite3'
