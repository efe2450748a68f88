# Threads and pools, which run their work at once, in place, and have finished when they were started: there is one
# processor and one flow of control. What waits for another thread does not wait for ever but fails with the reason.
import _thread
import queue
import threading
import concurrent.futures.thread  # noqa

DEADLOCK = 'this sandbox runs a thread in place, at start(), and this waits for another thread: fill queues and set events before, or use ThreadPoolExecutor'
# Threads that waited for work when they began. They begin anew when somebody waits for them.
idle = []
# Timers that did not fire yet.
timers = []
running = [threading.main_thread()]


class Idle(BaseException):
    """Ends a thread that waits for work. It begins anew only if it has not had any: else its variables would be lost."""


def run_thread(thread):
    thread._took = False
    running.append(thread)
    ident = _thread.get_ident()
    outer = threading._active.get(ident)
    thread._ident, threading._active[ident] = ident, thread
    try:
        thread.run()
    except Idle:
        if not thread._took:
            idle.append(thread)
        return
    except KeyboardInterrupt:
        raise
    except BaseException:
        thread._invoke_excepthook(thread)
    finally:
        running.pop()
        threading._active[ident] = outer
    thread._done = True


def wake():
    """Lets idle threads look for work once more. Returns whether one found any."""
    found = False
    for thread in list(idle):
        if thread in idle:
            idle.remove(thread)
            run_thread(thread)
            found = found or thread._took or thread not in idle
    return found


def start(self):
    """Start the thread's activity."""
    if not getattr(self, '_initialized', False):
        raise RuntimeError('thread.__init__() not called')
    if self._started.is_set():
        raise RuntimeError('threads can only be started once')
    self._arguments = (getattr(self, '_target', None), getattr(self, '_args', ()), getattr(self, '_kwargs', {}))
    self._started.set()
    run_thread(self)


def run(self):
    """Method representing the thread's activity."""
    # CPython deletes its arguments afterwards; an idle thread needs them again.
    target, args, kwargs = getattr(self, '_arguments', (self._target, self._args, self._kwargs))
    if target is not None:
        target(*args, **kwargs)


def join(self, timeout=None):
    """Wait until the thread terminates."""
    if not self._started.is_set():
        raise RuntimeError('cannot join thread before it is started')
    if self is running[-1]:
        raise RuntimeError('cannot join current thread')
    if self in idle:
        wake()
    if self.is_alive() and timeout is None:
        raise RuntimeError(DEADLOCK)


def is_alive(self):
    return self._started.is_set() and not getattr(self, '_done', False)


for method in (start, run, join, is_alive):
    setattr(threading.Thread, method.__name__, method)


def wait(self, timeout=None):
    """Wait until notified or until a timeout occurs: nobody else runs who could notify."""
    if not self._is_owned():
        raise RuntimeError('cannot wait on un-acquired lock')
    if running[-1] is not running[0]:
        if timeout is None:
            raise Idle
    elif idle:
        saved = self._release_save()
        try:
            if wake():
                return True
        finally:
            self._acquire_restore(saved)
    if timeout is None:
        raise RuntimeError(DEADLOCK)
    time.sleep(timeout)
    return False


threading.Condition.wait = wait


def counted(original):
    def get(self, block=True, timeout=None):
        item = original(self, block, timeout)
        running[-1]._took = True
        return item

    get.__doc__ = original.__doc__
    return get


queue.Queue.get = counted(queue.Queue.get)
queue.SimpleQueue = queue._PySimpleQueue


def simple_get(self, block=True, timeout=None):
    """Remove and return an item from the queue."""
    if not self._queue:
        if not block:
            raise queue.Empty
        if running[-1] is not running[0] and timeout is None:
            raise Idle
        if not (idle and running[-1] is running[0] and wake() and self._queue):
            if timeout is None:
                raise RuntimeError(DEADLOCK)
            time.sleep(timeout)
            raise queue.Empty
    running[-1]._took = True
    return self._queue.popleft()


queue._PySimpleQueue.get = simple_get


def submit(self, fn, /, *args, **kwargs):
    """Runs the call at once. The future has its result or its exception."""
    if getattr(self, '_shutdown', False) or getattr(self, '_shutdown_thread', False):
        raise RuntimeError('cannot schedule new futures after shutdown')
    initializer, self._initializer = getattr(self, '_initializer', None), None
    if initializer is not None:
        initializer(*getattr(self, '_initargs', ()))
    future = concurrent.futures.Future()
    future.set_running_or_notify_cancel()
    try:
        future.set_result(fn(*args, **kwargs))
    except Exception as error:
        future.set_exception(error)
    return future


concurrent.futures.thread.ThreadPoolExecutor.submit = submit


def start_timer(self):
    """The function runs when the script sleeps so long, waits for the timer, or ends."""
    if self._started.is_set():
        raise RuntimeError('threads can only be started once')
    self._started.set()
    self._due = time.monotonic() + self.interval
    timers.append(self)


def fire(timer):
    timers.remove(timer)
    timer.interval = 0
    if timer.finished.is_set():
        timer._done = True
    else:
        run_thread(timer)


def run_timer(self):
    self.function(*self.args, **self.kwargs)
    self.finished.set()


def join_timer(self, timeout=None):
    """Wait until the timer has fired or was cancelled."""
    if self in timers:
        left = self._due - time.monotonic()
        time.sleep(max(0, left if timeout is None else min(left, timeout)))


def sleep_with_timers(original):
    def sleep(seconds, /):
        end = time.monotonic() + (seconds if isinstance(seconds, (int, float)) else 0)
        for timer in sorted(timers, key=lambda timer: timer._due):
            if timer._due <= end and timer in timers:
                if not timer.finished.is_set():
                    original(max(0, timer._due - time.monotonic()))
                fire(timer)
                seconds = max(0, end - time.monotonic())
        original(seconds)

    sleep.__doc__, sleep.__module__ = original.__doc__, 'time'
    return sleep


def finish_threads():
    """At the end of a script, timers fire and idle threads are left: their daemons would be, too."""
    for timer in list(timers):
        join_timer(timer)
    idle.clear()


atexit.register(finish_threads)
threading.Timer.start, threading.Timer.run, threading.Timer.join = start_timer, run_timer, join_timer


def refuse_thread(*args, **more):
    """Start a new thread."""
    raise RuntimeError("can't start new thread: this sandbox runs threads in place, with threading.Thread or executors")


_thread.start_new_thread = _thread.start_new = _thread.start_joinable_thread = refuse_thread
