# Programs that a script starts: the host runs them in the shell of the same call (children.ts), to their end. A Popen
# starts its program when the script first asks for something of it: before that, the script writes its input.
import atexit
import errno
import io
import json
import os
import posix
import shutil
import signal
import subprocess
import time
import weakref

ask = posix.system
NO_LIMIT = None
TIME_OVER, FAILED = 256, 512
FOLDERS = ('/bin', '/usr/bin', '/usr/local/bin')
# From src/sandbox/bash/absent.ts, command-names.ts, and the error numbers of the host.
with open('/boot/programs', encoding='utf-8') as file:
    ABSENT = dict(line.rstrip('\n').split('\t') for line in file)
with open('/boot/commands', encoding='utf-8') as file:
    COMMANDS = frozenset(file.read().split())
with open('/boot/errno', encoding='utf-8') as file:
    LINUX = {int(number): int(linux) for _, number, linux in map(str.split, file)}
# Popen objects whose programs have not started, as weak references: what nobody holds starts when it is deleted.
waiting = []
last_pid = 1000


def start(argv, cwd, env, streams, timeout=NO_LIMIT):
    """Runs a program to its end. Returns its exit code; None if the time was over."""
    ms = None if timeout is None else max(1, round(timeout * 1000))
    order = {'argv': argv, 'cwd': cwd, 'env': env, 'streams': streams, 'timeout': ms}
    result = ask(f' start {json.dumps(order)}')
    if result >= FAILED:
        number = LINUX.get(result - FAILED, errno.EIO)
        raise OSError(number, os.strerror(number), argv[0])
    return None if result == TIME_OVER else result


def decoded(env):
    source = os.environ if env is None else env
    return {os.fsdecode(name): os.fsdecode(value) for name, value in source.items()}


def folder_of(cwd):
    here = os.getcwd()
    if cwd is None:
        return here
    path = os.path.join(here, os.fsdecode(cwd))
    if not os.path.isdir(path):
        number = errno.ENOTDIR if os.path.exists(path) else errno.ENOENT
        raise OSError(number, os.strerror(number), cwd)
    return os.path.normpath(path)


def check_program(program, cwd, env):
    """Raises the error of a program that does not exist."""
    folder, _, name = program.rpartition('/')
    if '/' in program and folder not in FOLDERS:
        path = os.path.join(cwd, program)
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), program)
        if os.path.exists(path):
            return
    elif name in COMMANDS:
        return
    elif not folder and name and any(
        os.path.isfile(os.path.join(cwd, place, name)) for place in env.get('PATH', '').split(':')
    ):
        return
    why = ABSENT.get(name)
    text = os.strerror(errno.ENOENT) + (f' (not in this sandbox: {why})' if why else '')
    raise FileNotFoundError(errno.ENOENT, text, program)


def settle(also_written=False):
    """Starts the programs that wait, except those whose input is still being written."""
    for reference in list(waiting):
        process = reference()
        if process is None:
            waiting.remove(reference)
        elif also_written or process.stdin is None or process.stdin.closed:
            begin(process)


def begin(process, timeout=NO_LIMIT):
    """Runs the program of a Popen, if it has not run."""
    order, process._order = getattr(process, '_order', None), None
    if order is None:
        return
    waiting[:] = [reference for reference in waiting if reference() not in (None, process)]
    argv, cwd, env, streams, opened, source = order
    for reference in list(waiting):
        other = reference()
        if other is not None and source is not None and source in other._fills:
            begin(other)
    try:
        if process.stdin is not None and not process.stdin.closed:
            process.stdin.flush()
        code = start(argv, cwd, env, streams, timeout)
    finally:
        for fd in opened:
            os.close(fd)
    process._code = -signal.SIGKILL if code is None else code
    if code is None:
        raise subprocess.TimeoutExpired(process.args, timeout)


class Output(io.RawIOBase):
    """The reading end of a program's output. Reading starts the program."""

    def __init__(self, process, file):
        self.process, self.file = weakref.ref(process), file

    def readable(self):
        return True

    def fileno(self):
        return self.file.fileno()

    def readinto(self, buffer):
        process = self.process()
        if process is not None:
            begin(process)
        return self.file.readinto(buffer)

    def close(self):
        self.file.close()
        super().close()


def wrapped(process, stream):
    text = None
    if isinstance(stream, io.TextIOWrapper):
        text = (stream.encoding, stream.errors)
        stream = stream.detach()
    raw = Output(process, stream.detach() if isinstance(stream, io.BufferedReader) else stream)
    file = raw if stream is raw.file else io.BufferedReader(raw)
    return io.TextIOWrapper(file, encoding=text[0], errors=text[1]) if text else file


def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
                   p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, *rest):
    global last_pid
    if isinstance(args, (str, bytes)):
        args = [args]
    elif isinstance(args, os.PathLike):
        if shell:
            raise TypeError('path-like args is not allowed when shell is true')
        args = [args]
    argv = [os.fsdecode(arg) for arg in args]
    if not argv:
        raise IndexError('list index out of range')
    if any('\0' in arg for arg in argv):
        raise ValueError('embedded null byte')
    if shell:
        argv = ['/bin/sh', '-c', *argv]
    if executable is not None:
        argv[0] = os.fsdecode(executable)
    env, folder = decoded(env), folder_of(cwd)
    check_program(argv[0], folder, env)
    opened, streams, copies = [], [], {}
    for fd, standard in ((p2cread, 0), (c2pwrite, 1), (errwrite, 2)):
        fd = standard if fd == -1 else fd
        if fd > 2 and fd not in copies:
            copies[fd] = os.dup(fd)
            opened.append(copies[fd])
        streams.append(copies.get(fd, fd))
    source = os.fstat(streams[0]).st_ino if p2cread != -1 else None
    self._fills = {os.fstat(fd).st_ino for fd in (c2pwrite, errwrite) if fd != -1}
    self._order, self._code = (argv, folder, env, streams, opened, source), None
    self._child_created = True
    last_pid += 1
    self.pid = last_pid
    if self.stdout is not None:
        self.stdout = wrapped(self, self.stdout)
    if self.stderr is not None:
        self.stderr = wrapped(self, self.stderr)
    self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)
    settle()
    waiting.append(weakref.ref(self))


def _internal_poll(self, _deadstate=None, **more):
    if self.returncode is None:
        begin(self)
        self.returncode = self._code
    return self.returncode


def _wait(self, timeout):
    if self.returncode is None:
        begin(self, timeout)
        self.returncode = self._code
    return self.returncode


def _communicate(self, input, endtime, orig_timeout):
    if self.stdin and not self._communication_started:
        self._stdin_write(input)
    self._communication_started = True
    over = None
    try:
        begin(self, None if endtime is None else self._remaining_time(endtime))
    except subprocess.TimeoutExpired as error:
        over = error
    found = self.__dict__.setdefault('_found', {})
    for name in ('stdout', 'stderr'):
        stream = getattr(self, name)
        if stream is not None and not stream.closed:
            found[name] = found.get(name, b'') + getattr(stream, 'buffer', stream).read()
    if over is not None:
        raise subprocess.TimeoutExpired(self.args, orig_timeout, output=found.get('stdout'), stderr=found.get('stderr'))
    texts = []
    for name in ('stdout', 'stderr'):
        stream, data = getattr(self, name), found.get(name)
        if data is not None and self.text_mode:
            data = self._translate_newlines(data, stream.encoding, stream.errors)
        if stream is not None:
            stream.close()
        texts.append(data)
    self.wait()
    return tuple(texts)


def send_signal(self, sig):
    order = getattr(self, '_order', None)
    if self.returncode is not None or order is None:
        return
    # It has not started, so it ends without having done anything.
    self._order, self._code = None, -sig
    for fd in order[4]:
        os.close(fd)


for method in (_execute_child, _internal_poll, _wait, _communicate, send_signal):
    setattr(subprocess.Popen, method.__name__, method)
subprocess._can_fork_exec = True


def system(command):
    """Execute the command in a subshell."""
    settle()
    try:
        return start(['/bin/sh', '-c', os.fsdecode(command)], os.getcwd(), decoded(None), [0, 1, 2]) << 8
    except OSError:
        return -1


def spawnvpe(mode, file, args, env):
    settle()
    argv, env = [os.fsdecode(arg) for arg in args], decoded(env)
    argv[0] = os.fsdecode(file)
    check_program(argv[0], os.getcwd(), env)
    code = start(argv, os.getcwd(), env, [0, 1, 2])
    if mode == os.P_WAIT:
        return code
    raise OSError(errno.ENOSYS, 'programs end before the script continues: use os.P_WAIT or subprocess', file)


def execvpe(file, args, env):
    """Runs the program, and ends this one with its exit code."""
    os._exit(spawnvpe(os.P_WAIT, file, args, env))


os.system = posix.system = system
libc_umask = posix.umask


def umask(mask, /):
    """Set the current numeric umask and return the previous umask."""
    before = libc_umask(mask)
    ask(f' umask {mask & 0o777}')
    return before


os.umask = posix.umask = umask
os.execve = os.execvpe = execvpe
os.execv = os.execvp = lambda file, args: execvpe(file, args, None)
os.spawnve = os.spawnvpe = spawnvpe
os.spawnv = os.spawnvp = lambda mode, file, args: spawnvpe(mode, file, args, None)
atexit.register(settle, True)
