# Runs once, when Satchel is built: imports what scripts usually need, then has the host copy memory. A job begins
# in run(). No module that a guest imports contains this file's own names.
import sys
STARTED = list(sys.modules)
import errno
import posix


def linux_errors():
    """Uses Linux's error numbers, before any module reads one; C raises exceptions with the same (wasm-errno.ts)."""
    here = {}
    errno.errorcode.clear()
    with open('/boot/errno') as file:
        for name, number, linux in map(str.split, file):
            setattr(errno, name, int(linux))
            errno.errorcode.setdefault(int(linux), name)
            here[int(linux)] = int(number)
    message = posix.strerror

    def strerror(code, /):
        """Translate an error code to a message string."""
        return message(here[code]) if code in here else message(0) if code == 0 else f'Unknown error {code}'

    posix.strerror = strerror


linux_errors()
import os  # noqa
os.strerror = posix.strerror

import abc, argparse, ast, base64, bisect, calendar, collections, collections.abc, configparser, contextlib, copy, csv  # noqa
import dataclasses, datetime, decimal, difflib, enum, fnmatch, fractions, functools, getopt, glob, gzip, hashlib, heapq  # noqa
import hmac, html, html.parser, inspect, io, ipaddress, itertools, json, linecache, locale, logging, math, numbers  # noqa
import operator, os, pathlib, pickle, platform, pprint, random, re, runpy, secrets, selectors, shlex, shutil, signal  # noqa
import stat, statistics, string, struct, subprocess, tempfile, textwrap, threading, time, tokenize, traceback, types  # noqa
import typing, unicodedata, unittest, urllib.parse, urllib.request, uuid, warnings, weakref, zipfile, zlib  # noqa
import xml.etree.ElementTree, email, email.message, concurrent.futures, concurrent.futures.thread  # noqa
import atexit, builtins, gc, importlib, importlib.machinery, zipimport, encodings.utf_8_sig, encodings.latin_1, encodings.ascii, encodings.idna  # noqa

FILE = __file__
# Names that the module site adds to the built-in ones.
SITE = ('copyright', 'credits', 'exit', 'help', 'license', 'quit')
# Left out of the package, but sysconfig and zoneinfo import it.
SYSCONFIG = types.ModuleType('_sysconfigdata__linux_wasm32-emscripten')
SYSCONFIG.build_time_vars = {'TZPATH': '/usr/share/zoneinfo', 'EXT_SUFFIX': '.so', 'SOABI': '', 'Py_GIL_DISABLED': 0}
# The second name: before system.py sets the platform.
sys.modules[SYSCONFIG.__name__] = sys.modules['_sysconfigdata__emscripten_wasm32-emscripten'] = SYSCONFIG


def plain(text):
    """Removes the backspaces that make letters bold."""
    return re.sub('.\b', '', text)


def plain_pager(text, title=''):
    sys.stdout.write(plain(text) + '\n')


# For help(): there is no terminal to page on.
PAGER = types.ModuleType('_pyrepl.pager')
PAGER.get_pager = lambda: plain_pager
PAGER.plain = PAGER.escape_less = plain
PAGER.plain_pager = PAGER.pipe_pager = PAGER.tempfile_pager = PAGER.tty_pager = plain_pager
sys.modules['_pyrepl'] = types.ModuleType('_pyrepl')
sys.modules['_pyrepl'].__path__ = []
sys.modules['_pyrepl'].pager = sys.modules['_pyrepl.pager'] = PAGER
sys.executable = sys._base_executable = '/usr/bin/python3'
STDLIB = '/lib/python313.zip'


def order():
    with open('/.order', encoding='utf-8') as file:
        return json.load(file)


def variable(name):
    """A Python variable of the environment, which -E and -I ignore."""
    return '' if sys.flags.ignore_environment else os.environ.get(name, '')


def set_options(job):
    """Applies options of the command line and the environment, which C read when the image was built."""
    flags = dict(job['flags'])
    if not flags.get('ignore_environment'):
        level = os.environ.get('PYTHONOPTIMIZE', '')
        flags['optimize'] = max(flags.get('optimize', 0), int(level) if level.isdigit() else len(level) and 1)
        flags['safe_path'] = bool(flags.get('safe_path') or os.environ.get('PYTHONSAFEPATH'))
    sys._xoptions.clear()
    for option in job['options']:
        name, equals, value = option.partition('=')
        sys._xoptions[name] = value if equals else True
    if 'dev' in sys._xoptions:
        flags['dev_mode'] = True
    digits = sys._xoptions.get('int_max_str_digits')
    if digits is not None:
        sys.set_int_max_str_digits(int(digits))
        flags['int_max_str_digits'] = int(digits)
    sys.flags = sys.flags.__replace__(**flags)
    if flags.get('no_site'):
        sys.modules.pop('site', None)
        for name in SITE:
            vars(builtins).pop(name, None)
    if flags.get('optimize'):
        importlib._bootstrap_external.SourceLoader.source_to_code.__kwdefaults__['_optimization'] = flags['optimize']
        builtins.compile = optimized(flags['optimize'])


def optimized(level):
    original = compile

    def optimizing(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
        return original(source, filename, mode, flags, dont_inherit, level if optimize == -1 else optimize, **more)

    optimizing.__name__ = optimizing.__qualname__ = 'compile'
    return optimizing


def settle(job):
    """Sets up the process for the job: environment, arguments, random numbers, clocks and streams."""
    os.environ.clear()
    os.environ.update(job['env'])
    sys.argv[:] = job['argv']
    sys.orig_argv[:] = ['python3', *job['argv']]
    set_options(job)
    random.seed()
    logging._startTime = time.time_ns() if isinstance(logging._startTime, int) else time.time()
    filters = [name for name in variable('PYTHONWARNINGS').split(',') if name] + job['warnings']
    sys.warnoptions.extend((['default'] if sys.flags.dev_mode else []) + filters)
    warnings._processoptions(sys.warnoptions)
    if job['unbuffered'] or variable('PYTHONUNBUFFERED'):
        sys.stdout = sys.__stdout__ = unbuffered(sys.stdout)
        sys.stderr = sys.__stderr__ = unbuffered(sys.stderr)


def unbuffered(stream):
    """The stream without a buffer, as with -u: os._exit() would lose what is in it."""
    encoding, errors = stream.encoding, stream.errors
    stream = io.TextIOWrapper(stream.detach().detach(), encoding, errors, '\n', write_through=True)
    stream.mode = 'w'
    return stream


def search_path(first, job):
    """CPython's order. The workspace is in it only if the script is there, or is no file."""
    own = [] if first is None or sys.flags.safe_path else [first]
    more = [path for path in variable('PYTHONPATH').split(':') if path]
    rest = [STDLIB, '/lib/python3.13', '/lib/python3.13/lib-dynload']
    if not sys.flags.no_site:
        rest.append('/lib/python3.13/site-packages')
    sys.path[:] = [*own, *more, *rest]
    for path in reversed(own + more):
        forget_shadowed(path or os.getcwd())


def forget_shadowed(folder):
    """The image has imported modules that a file of this folder precedes, so a script must import them anew."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for file in names:
        name, dot, suffix = file.partition('.')
        if name not in KNOWN or name in FIRST or dot and suffix not in ('py', 'pyc'):
            continue
        if not dot and not os.path.isfile(os.path.join(folder, file, '__init__.py')):
            continue
        for module in [module for module in sys.modules if module == name or module.startswith(name + '.')]:
            del sys.modules[module]


def run_code(source, name, names):
    exec(compile(source, name, 'exec', dont_inherit=True, optimize=sys.flags.optimize), names)


def main_names():
    names = sys.modules['__main__'].__dict__
    for name in list(names):
        if name not in ('__name__', '__builtins__', '__doc__', '__loader__', '__spec__', '__package__'):
            del names[name]
    names['__doc__'] = names['__package__'] = names['__spec__'] = None
    names['__annotations__'] = {}
    return names


def run_script(job, names):
    typed = job['what']
    path = typed[2:] if typed.startswith('./') else typed
    path = path if path.startswith('/') else os.path.join(os.getcwd(), path)
    if os.path.isdir(path) or zipfile.is_zipfile(path):
        search_path(path, job)
        return runpy.run_path(path, run_name='__main__') and None
    try:
        with open(path, 'rb') as file:
            source = file.read()
    except OSError as error:
        print(f"python3: can't open file {path!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        raise SystemExit(2)
    search_path(os.path.dirname(path), job)
    names['__file__'] = path
    names['__cached__'] = None
    names['__loader__'] = importlib.machinery.SourceFileLoader('__main__', path)
    if job['skip_first_line']:
        source = b'\n' + source.partition(b'\n')[2]
    run_code(source, path, names)


def run_module(name):
    try:
        runpy._run_module_as_main(name)
    except SystemExit as end:
        alternative = advice(name.partition('.')[0])
        if alternative and isinstance(end.code, str) and end.code.endswith(f'No module named {name}'):
            end.code = f'{end.code} ({alternative})'
        raise


def run_job(job):
    names = main_names()
    mode, what = job['mode'], job['what']
    if mode == 'script':
        run_script(job, names)
    elif mode == 'module':
        search_path(os.getcwd(), job)
        run_module(what)
    elif mode == 'code':
        search_path('', job)
        linecache.cache['<string>'] = (len(what), None, what.splitlines(True), '<string>')
        run_code(what, '<string>', names)
    else:
        search_path('', job)
        run_code(sys.stdin.buffer.read(), '<stdin>', names)


def without_us(trace):
    while trace is not None and trace.tb_frame.f_code.co_filename == FILE:
        trace = trace.tb_next
    return trace


def report(error):
    """Prints an uncaught exception as CPython does. Returns the exit code."""
    if isinstance(error, SystemExit):
        code = error.code
        if code is None:
            return 0
        if isinstance(code, int):
            return code
        print(code, file=sys.stderr)
        return 1
    if isinstance(error, MemoryError):
        wait(OUT_OF_MEMORY)
    try:
        error.__traceback__ = without_us(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:
        sys.__excepthook__(type(error), error, error.__traceback__)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def flush():
    code = 0
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            code = 120
    return code


def tear_down():
    """Runs exit handlers and flushes open files, as the end of a process does."""
    atexit._run_exitfuncs()
    names = sys.modules['__main__'].__dict__
    for private in (True, False):
        for name in list(names):
            if name != '__builtins__' and name.startswith('_') is private:
                names[name] = None
    for name, module in list(sys.modules.items()):
        if name not in KNOWN:
            sys.modules.pop(name, None)
    sys.last_exc = sys.last_value = sys.last_traceback = None
    del module
    gc.collect()


def run():
    code = 0
    sys.setrecursionlimit(1000)
    try:
        job = order()
        settle(job)
        if 'umask' in job:
            os.umask(job['umask'])
        try:
            run_job(job)
        except BaseException:
            # C flushes what a script has written, but not -c and -m, before it prints the exception.
            if job['mode'] not in ('code', 'module'):
                flush()
            raise
    except BaseException as error:
        code = report(error)
    code = code or flush()
    try:
        tear_down()
    except BaseException as error:
        report(error)
    os._exit((flush() or code) & 0xFF)


SHARED = {'__name__': 'satchel'}
# What tracebacks show: the modules that the parts change.
PART_FILES = {
    'programs': '/lib/py3.13/subprocess.py',
    'threads': '/lib/py3.13/threading.py',
    'processes': '/lib/py3.13/multiprocessing/pool.py',
    'derive': '/lib/py3.13/hashlib.py',
    'system': '/lib/py3.13/os.py',
    'absent': '<absent>',
}
for part, source in PARTS.items():
    # Each part sees the names of those before, and changes none of them.
    SHARED = {**SHARED}
    exec(compile(source, PART_FILES[part], 'exec'), SHARED)
advice, wait = SHARED['advice'], SHARED['wait']
# Reports to the host (calls-rest.ts) the limit by which this script failed.
OUT_OF_MEMORY = ' out of memory'
KNOWN = frozenset(sys.modules)
# CPython itself imports these before it starts a script.
FIRST = frozenset(sys.builtin_module_names) | set(STARTED)
EMPTY = ()
gc.collect()
gc.freeze()
# By this number scripts/runtimes/python-image.ts finds the limits. A job sets the usual one.
sys.setrecursionlimit(54321)
with open('/tmp/addresses', 'w') as file:
    file.write(json.dumps({'run': id(run), 'empty': id(EMPTY)}))
sys._satchel = (run, EMPTY, wait)
time.clock_getres(time.CLOCK_MONOTONIC)
