# CPython's module resource, as far as a program can be measured here.
import collections
import os

error = OSError
RLIM_INFINITY = -1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS = range(10)
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1
# Kilobytes: an interpreter's memory cannot be measured from within.
MEMORY = 44_000
struct_rusage = collections.namedtuple(
    'struct_rusage',
    'ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw',
    module='resource',
)


def getrusage(who, /):
    if who not in (RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD):
        raise ValueError('invalid who parameter')
    spent = os.times().user if who != RUSAGE_CHILDREN else 0.0
    return struct_rusage(spent, 0.0, MEMORY if who != RUSAGE_CHILDREN else 0, *[0] * 13)


def getrlimit(resource, /):
    return RLIM_INFINITY, RLIM_INFINITY


def setrlimit(resource, limits, /):
    raise ValueError('the limits of this sandbox cannot be changed')


def getpagesize():
    return 4096
