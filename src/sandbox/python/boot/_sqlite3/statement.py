# Prepared statements.
from .errors import InterfaceError, ProgrammingError
from .host import Failure, ask

DML = ('INSERT', 'UPDATE', 'DELETE', 'REPLACE')


def first_word(sql):
    """The first word of a statement, after spaces and comments."""
    while True:
        sql = sql.lstrip(' \t\n\r\f;') if sql[:1] != ';' else sql[1:]
        if sql.startswith('--'):
            sql = sql.partition('\n')[2]
        elif sql.startswith('/*'):
            sql = sql[2:].partition('*/')[2]
        else:
            return sql[:7].upper()


def without_comments(sql):
    return first_word(sql) == ''


class Statement:
    """A prepared statement of a connection."""

    def __init__(self, connection, sql):
        if not isinstance(sql, str):
            raise TypeError(f'execute() argument 1 must be str, not {type(sql).__name__}')
        if '\0' in sql:
            raise ProgrammingError('the query contains a null character')
        # As the host reads it.
        try:
            answer = ask('prepare', connection._handle, sql)
        except Failure:
            sql.encode()
            raise
        _, self.handle, rest, self.columns, self.types, self.names, self.readonly = answer
        if rest and not without_comments(rest):
            if self.handle:
                ask('finalize', self.handle)
            raise ProgrammingError('You can only execute one statement at a time.')
        word = first_word(sql)
        self.is_dml = word.startswith(DML)
        self.in_use = False

    def finalize(self):
        if self.handle:
            handle, self.handle = self.handle, 0
            ask('finalize', handle)


def rejected(failure, values):
    """The exception for a value that SQLite cannot store."""
    reason = failure.args[0]
    if reason == 'overflow':
        return OverflowError('Python int too large to convert to SQLite INTEGER')
    if reason == 'surrogate':
        for value in values:
            if isinstance(value, str):
                try:
                    value.encode()
                except UnicodeEncodeError as error:
                    return error
    if reason == 'memory':
        return MemoryError()
    return InterfaceError(reason)
