# CPython's module fcntl. Locks hold among the descriptors of one program: no other program runs at the same time.
import errno
import os

F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL = range(5)
F_GETLK, F_SETLK, F_SETLKW = 5, 6, 7
F_DUPFD_CLOEXEC, F_RDLCK, F_WRLCK, F_UNLCK, FD_CLOEXEC = 1030, 0, 1, 2, 1
LOCK_SH, LOCK_EX, LOCK_NB, LOCK_UN = 1, 2, 4, 8
# Descriptors and their locks, by the file that each had then.
locks = {}


def _number(fd):
    number = fd if isinstance(fd, int) else fd.fileno()
    if not isinstance(number, int):
        raise TypeError('argument must be an int, or have a fileno() method.')
    if number < 0:
        raise ValueError(f'file descriptor cannot be a negative integer ({number})')
    return number


def _file(number):
    status = os.fstat(number)
    return status.st_dev, status.st_ino


def _is_held(number, file):
    """Whether the descriptor is still open: closing it ends its lock."""
    try:
        return _file(number) == file
    except OSError:
        return False


def flock(fd, operation, /):
    number = _number(fd)
    file = _file(number)
    for other, (theirs, _) in list(locks.items()):
        if not _is_held(other, theirs):
            del locks[other]
    if operation & LOCK_UN:
        locks.pop(number, None)
        return
    wanted = operation & ~LOCK_NB
    if wanted not in (LOCK_SH, LOCK_EX):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    for other, (theirs, kind) in locks.items():
        if other != number and theirs == file and LOCK_EX in (kind, wanted):
            if operation & LOCK_NB:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            raise OSError(errno.EDEADLK, 'this program holds the lock itself, and would wait for ever')
    locks[number] = file, wanted


def lockf(fd, cmd, len=0, start=0, whence=0, /):
    # These locks belong to the program, which cannot be in its own way.
    _file(_number(fd))
    if not cmd & LOCK_UN and cmd & ~LOCK_NB not in (LOCK_SH, LOCK_EX):
        raise ValueError('unrecognized lockf argument')


def fcntl(fd, cmd, arg=0, /):
    number = _number(fd)
    if cmd in (F_DUPFD, F_DUPFD_CLOEXEC):
        copy = os.dup(number)
        if copy >= arg:
            return copy
        os.close(copy)
    elif cmd == F_GETFD:
        return 0 if os.get_inheritable(number) else FD_CLOEXEC
    elif cmd == F_SETFD:
        os.set_inheritable(number, not arg & FD_CLOEXEC)
        return 0
    elif cmd == F_SETFL:
        os.set_blocking(number, not arg & os.O_NONBLOCK)
        return 0
    elif cmd in (F_SETLK, F_SETLKW):
        _file(number)
        return arg
    raise OSError(errno.ENOSYS, 'fcntl: this command is not available in this sandbox')


def ioctl(fd, request, arg=0, mutate_flag=True, /):
    _file(_number(fd))
    raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
