# multiprocessing and asyncio's programs, in place as threads and programs are. They are patched when they are imported.
import queue
import subprocess
import sys
import threading
import traceback
import types

PATCHES = {}


class Result:
    """What apply_async and map_async return: it is there already."""

    def __init__(self, work, callback, error_callback):
        self.value = self.error = None
        try:
            self.value = work()
        except Exception as error:
            self.error = error
            if error_callback is not None:
                error_callback(error)
        else:
            if callback is not None:
                callback(self.value)

    def get(self, timeout=None):
        if self.error is not None:
            raise self.error
        return self.value

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True

    def successful(self):
        return self.error is None


class Pool:
    """multiprocessing.Pool, one task after another."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        if processes is not None and processes < 1:
            raise ValueError('Number of processes must be at least 1')
        self._open = True
        if initializer is not None:
            initializer(*initargs)

    def _check_running(self):
        if not self._open:
            raise ValueError('Pool not running')

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        self._check_running()
        return Result(lambda: func(*args, **kwds), callback, error_callback)

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        self._check_running()
        return Result(lambda: [func(item) for item in iterable], callback, error_callback)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.map_async(lambda item: func(*item), iterable, chunksize, callback, error_callback)

    def apply(self, func, args=(), kwds={}):
        return self.apply_async(func, args, kwds).get()

    def map(self, func, iterable, chunksize=None):
        return self.map_async(func, iterable).get()

    def starmap(self, func, iterable, chunksize=None):
        return self.starmap_async(func, iterable).get()

    def imap(self, func, iterable, chunksize=1):
        self._check_running()
        return map(func, iterable)

    imap_unordered = imap

    def close(self):
        self._open = False

    terminate = close

    def join(self):
        if self._open:
            raise ValueError('Pool is still running')

    def __enter__(self):
        self._check_running()
        return self

    def __exit__(self, *error):
        self.terminate()


def patch_pool(module):
    module.Pool = Pool
    module.ThreadPool = type('ThreadPool', (Pool,), {'__doc__': 'A pool of threads, in place.'})


def patch_process_executor(module):
    from concurrent.futures import ThreadPoolExecutor

    class ProcessPoolExecutor(ThreadPoolExecutor):
        def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
            super().__init__(max_workers, '', initializer, initargs)

    module.ProcessPoolExecutor = ProcessPoolExecutor


class Queue(queue.Queue):
    def close(self):
        pass

    join_thread = cancel_join_thread = close


class Value:
    def __init__(self, typecode, value=0, *, lock=True):
        self.value, self._lock = value, threading.RLock()

    def get_lock(self):
        return self._lock


class Array(list):
    def __init__(self, typecode, size_or_values, *, lock=True):
        super().__init__([0] * size_or_values if isinstance(size_or_values, int) else size_or_values)
        self._lock = threading.RLock()

    def get_lock(self):
        return self._lock


class Manager:
    dict, list, Namespace, Value, Array, Queue = dict, list, types.SimpleNamespace, Value, Array, Queue
    Lock, RLock, Event = staticmethod(threading.Lock), staticmethod(threading.RLock), threading.Event
    Pool = Pool

    def start(self):
        pass

    shutdown = start

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def patch_context(module):
    context = module.BaseContext
    for name in ('Lock', 'RLock', 'Condition', 'Semaphore', 'BoundedSemaphore', 'Event', 'Barrier'):
        made = getattr(threading, name)
        setattr(context, name, lambda self, *args, made=made: made(*args))
    for name, made in {'Queue': Queue, 'JoinableQueue': Queue, 'SimpleQueue': Queue, 'Value': Value, 'RawValue': Value,
                       'Array': Array, 'RawArray': Array, 'Manager': Manager}.items():
        setattr(context, name, lambda self, *args, made=made, **more: made(*args, **more))


def patch_process(module):
    """A process runs at start(). It shares the memory of the script."""
    from multiprocessing import process as processes

    class Popen:
        method = 'fork'
        sentinel = -1

        def __init__(self, process):
            outer, processes._current_process = processes._current_process, process
            self.pid, self.returncode = id(process), 0
            try:
                process.run()
            except SystemExit as end:
                self.returncode = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            except Exception:
                sys.stderr.write(f'Process {process.name}:\n')
                traceback.print_exc()
                self.returncode = 1
            finally:
                processes._current_process = outer

        def poll(self, flag=0):
            return self.returncode

        def wait(self, timeout=None):
            return self.returncode

        def terminate(self):
            pass

        kill = close = terminate

    module.Popen = Popen


def patch_asyncio_programs(module):
    """asyncio's programs, which run to their end when they are waited for."""
    import asyncio

    class Process:
        def __init__(self, process, limit):
            self._process, self.stdin, self.pid = process, None, process.pid
            if process.stdin is not None:
                self.stdin = Input(process.stdin)
            self.stdout, self.stderr = (stream and Output(stream, limit) for stream in (process.stdout, process.stderr))

        @property
        def returncode(self):
            return self._process.returncode

        async def wait(self):
            return self._process.wait()

        async def communicate(self, input=None):
            return self._process.communicate(input)

        def send_signal(self, signal):
            self._process.send_signal(signal)

        def terminate(self):
            self._process.terminate()

        def kill(self):
            self._process.kill()

    class Input:
        def __init__(self, file):
            self.write, self.writelines, self.close, self._file = file.write, file.writelines, file.close, file

        write_eof = property(lambda self: self.close)

        def is_closing(self):
            return self._file.closed

        async def drain(self):
            pass

        wait_closed = drain

    class Output(asyncio.StreamReader):
        def __init__(self, file, limit):
            super().__init__(limit)
            self._file = file

        async def _wait_for_data(self, func_name):
            self._fill()

        def _fill(self):
            if not self._eof:
                self.feed_data(self._file.read())
                self.feed_eof()

        async def read(self, n=-1):
            self._fill()
            return await super().read(n)

        async def readexactly(self, n):
            self._fill()
            return await super().readexactly(n)

    def started(args, limit=2**16, **more):
        return Process(subprocess.Popen(args, **{'bufsize': -1, **more}), limit)

    async def create_subprocess_exec(program, *args, limit=2**16, **more):
        return started([program, *args], limit, **more)

    async def create_subprocess_shell(cmd, limit=2**16, **more):
        return started(cmd, limit, shell=True, **more)

    module.create_subprocess_exec, module.create_subprocess_shell = create_subprocess_exec, create_subprocess_shell


PATCHES['asyncio.subprocess'] = patch_asyncio_programs
PATCHES['concurrent.futures.process'] = patch_process_executor
PATCHES['multiprocessing.context'] = patch_context
PATCHES['multiprocessing.pool'] = patch_pool
for name in ('fork', 'spawn_posix', 'forkserver'):
    PATCHES[f'multiprocessing.popen_{name}'] = patch_process
