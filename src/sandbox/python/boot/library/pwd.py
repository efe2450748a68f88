# CPython's module pwd, for the one user that the shell's commands show.
import collections
import os

struct_passwd = collections.namedtuple('struct_passwd', 'pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell', module='pwd')


def getpwall():
    return [struct_passwd('user', 'x', os.getuid(), os.getgid(), '', os.environ.get('HOME', '/tmp'), '/bin/bash')]


def getpwuid(uid, /):
    for entry in getpwall():
        if entry.pw_uid == uid:
            return entry
    raise KeyError(f'getpwuid(): uid not found: {uid}')


def getpwnam(name, /):
    for entry in getpwall():
        if entry.pw_name == name:
            return entry
    raise KeyError(f'getpwnam(): name not found: {name!r}')
