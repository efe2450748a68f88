# The machine and its user, as the shell's uname and id show them. Runs once, when Satchel is built.
import errno
import os
import posix
import sys

USER = 1000
# Modules of the library that ask for it have been imported.
sys.platform = 'linux'


def uname():
    """Return an object identifying the current operating system."""
    return os.uname_result(('Linux', 'localhost', '6.0.0', '#1 SMP', 'x86_64'))


def user_id():
    """Return the current process's id of its user or group."""
    return USER


def getgroups():
    """Return list of supplemental group IDs for the process."""
    return [USER]


def three_ids():
    """Return the current process's real, effective, and saved ids."""
    return USER, USER, USER


def get_terminal_size(fd=1, /):
    """Return the size of the terminal window as (columns, lines)."""
    os.fstat(fd)
    raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))


def sched_getaffinity(pid, /):
    """Return the affinity of the process identified by pid."""
    return {0}


def install(function, *names):
    for name in names:
        made = type(function)(function.__code__, function.__globals__, name, function.__defaults__)
        made.__doc__, made.__module__ = function.__doc__, 'posix'
        for module in (os, posix):
            setattr(module, name, made)


install(uname, 'uname')
install(user_id, 'getuid', 'geteuid', 'getgid', 'getegid')
install(three_ids, 'getresuid', 'getresgid')
for function in (getgroups, get_terminal_size, sched_getaffinity):
    install(function, function.__name__)
