# CPython's module grp, for the one group that the shell's commands show.
import collections
import os

struct_group = collections.namedtuple('struct_group', 'gr_name gr_passwd gr_gid gr_mem', module='grp')


def getgrall():
    return [struct_group('user', 'x', os.getgid(), [])]


def getgrgid(id):
    for entry in getgrall():
        if entry.gr_gid == id:
            return entry
    raise KeyError(f'getgrgid(): gid not found: {id}')


def getgrnam(name):
    for entry in getgrall():
        if entry.gr_name == name:
            return entry
    raise KeyError(f'getgrnam(): name not found: {name!r}')
