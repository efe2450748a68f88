# What a connection has beside statements: functions, hooks, copies and settings.
from . import host
from .errors import NotSupportedError, OperationalError, ProgrammingError

DETERMINISTIC = 2048
OK, BUSY, LOCKED, DONE = 0, 5, 6, 101


def same(name):
    return name


class Hooks:
    def _create(self, name, count, flags, kind, callback):
        self._check()
        number = None if callback is None else host.register(callback)
        try:
            host.ask('create', self._handle, name, count, flags, kind, number)
        except Exception as error:
            if type(error).__name__ != 'InterfaceError' and isinstance(error, Exception):
                raise OperationalError('Error creating function') from None
            raise

    def create_function(self, name, narg, func, /, *, deterministic=False):
        """Creates a new function."""
        self._create(name, narg, DETERMINISTIC if deterministic else 0, 'function', func)

    def create_aggregate(self, name, n_arg, aggregate_class, /):
        """Creates a new aggregate."""
        self._create(name, n_arg, 0, 'aggregate', aggregate_class)

    def create_window_function(self, name, num_params, aggregate_class, /):
        """Creates or redefines an aggregate window function."""
        self._create(name, num_params, 0, 'window', aggregate_class)

    def create_collation(self, name, callback, /):
        """Creates a collation function."""
        self._check()
        if callback is not None and not callable(callback):
            raise TypeError('parameter must be callable')
        host.ask('collation', self._handle, name, None if callback is None else host.register(callback))

    def set_progress_handler(self, progress_handler, /, n):
        """Set progress handler callback."""
        self._check()
        number = None if progress_handler is None else host.register(progress_handler)
        host.ask('progress', self._handle, number, n)

    def set_authorizer(self, authorizer_callback, /):
        """Set authorizer callback."""
        self._check()
        number = None if authorizer_callback is None else host.register(authorizer_callback)
        host.ask('authorizer', self._handle, number)

    def set_trace_callback(self, trace_callback, /):
        """Set a trace callback called for each SQL statement (passed as unicode)."""
        self._check()
        number = None if trace_callback is None else host.register(trace_callback)
        host.ask('trace', self._handle, number)

    def interrupt(self):
        """Abort any pending database operation."""
        self._check()
        host.ask('interrupt', self._handle)

    def iterdump(self, *, filter=None):
        """Returns iterator to the dump of the database in an SQL text format."""
        self._check()
        from sqlite3.dump import _iterdump

        return _iterdump(self, filter=filter)

    def backup(self, target, *, pages=-1, progress=None, name='main', sleep=0.25):
        """Makes a backup of the database."""
        from .connection import Connection

        self._check()
        if not isinstance(target, Connection):
            raise TypeError(f"backup() argument 1 must be sqlite3.Connection, not {type(target).__name__}")
        if target is self:
            raise ValueError('target cannot be the same connection instance')
        if progress is not None and not callable(progress):
            raise TypeError('progress argument must be a callable')
        target._check()
        pages = pages if pages > 0 else -1
        handle = host.ask('backup_init', target._handle, 'main', self._handle, name)[1]
        status = OK
        try:
            while status in (OK, BUSY, LOCKED):
                _, status, remaining, count = host.ask('backup_step', handle, pages)
                if progress is not None:
                    progress(status, remaining, count)
                if status in (BUSY, LOCKED):
                    import time

                    time.sleep(sleep)
        finally:
            ended = host.ask('backup_finish', handle)[1]
        if status != DONE or ended != OK:
            from .errors import exception

            raise exception(ended or status, 'unable to open database file' if ended == 14 else 'backup failed', ended or status)

    def serialize(self, *, name='main'):
        """Serialize a database into a byte string."""
        self._check()
        data = host.ask('serialize', self._handle, name)[1]
        if data is None:
            raise OperationalError(f'unknown database {name}')
        return data

    def deserialize(self, data, /, *, name='main'):
        """Load a serialized database."""
        self._check()
        if isinstance(data, str):
            data = data.encode()
        host.ask('deserialize', self._handle, name, bytes(data))

    def getlimit(self, category, /):
        """Get connection run-time limits."""
        return self.setlimit(category, -1)

    def setlimit(self, category, limit, /):
        """Set connection run-time limits."""
        self._check()
        before = host.ask('limit', self._handle, category, limit)[1]
        if before < 0:
            raise ProgrammingError("'category' is out of bounds")
        return before

    def getconfig(self, op, /):
        """Query a boolean connection configuration option."""
        self._check()
        return bool(host.ask('config', self._handle, op, -1)[1])

    def setconfig(self, op, enable=True, /):
        """Set a boolean connection configuration option."""
        self._check()
        host.ask('config', self._handle, op, int(bool(enable)))

    def blobopen(self, table, column, row, /, *, readonly=False, name='main'):
        """Open and return a BLOB object."""
        raise NotSupportedError('blobopen is not available in this sandbox: read the value with SELECT, substr(column, start, length) for a part, and write it with UPDATE')

    def enable_load_extension(self, enable, /):
        raise NotSupportedError('extensions cannot be loaded in this sandbox: use create_function')

    def load_extension(self, name, /, *, entrypoint=None):
        raise NotSupportedError('extensions cannot be loaded in this sandbox: use create_function')
