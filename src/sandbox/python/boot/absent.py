# Error messages that help with missing packages, terminals and network; sleep, and an event loop without sockets. Runs
# once, when Satchel is built, after programs.py, threads.py, processes.py and others, whose names it sees.
import importlib._bootstrap as bootstrap
import signal
import sys
import time
import urllib.request

ADD = 'it is not installed; the operator of this deployment can add it: npm run packages -- add '
COMPILED = 'it is compiled code and cannot run in this sandbox; '
NETWORK = 'there is no network in this sandbox; if another tool can fetch it, save the response in a file and read that'
ALTERNATIVES = {
    'numpy': COMPILED + 'use the modules math, statistics, array, random and fractions',
    'pandas': COMPILED + 'use csv, json, statistics and collections',
    'polars': COMPILED + 'use csv, json, statistics and collections',
    'pyarrow': COMPILED + 'convert to CSV or JSON and read that',
    'scipy': COMPILED + 'use math and statistics',
    'sklearn': COMPILED + 'use statistics (linear_regression, correlation)',
    'matplotlib': COMPILED + 'write an SVG: it is text',
    'seaborn': COMPILED + 'write an SVG: it is text',
    'plotly': ADD + 'plotly; or write an SVG or an HTML page: they are text',
    'PIL': COMPILED + 'write an SVG, or a PNG with zlib and struct',
    'cv2': COMPILED + 'images cannot be processed here',
    'lxml': COMPILED + 'use xml.etree.ElementTree or html.parser',
    'torch': COMPILED + 'run it outside of this sandbox',
    'tensorflow': COMPILED + 'run it outside of this sandbox',
    'cryptography': COMPILED + 'use hashlib, hmac and secrets',
    'pydantic': COMPILED + 'use dataclasses and check by hand',
    'orjson': COMPILED + 'use json',
    'yaml': ADD + 'pyyaml; or use JSON',
    'bs4': ADD + 'beautifulsoup4; or use html.parser',
    'openpyxl': ADD + 'openpyxl; or use zipfile and xml.etree.ElementTree: an .xlsx is a zip of XML',
    'docx': COMPILED + 'a .docx is a zip of XML: use zipfile and xml.etree.ElementTree',
    'pypdf': ADD + 'pypdf; read_file gives the text of a PDF',
    'PyPDF2': ADD + 'pypdf2; read_file gives the text of a PDF',
    'fitz': COMPILED + 'read_file gives the text of a PDF',
    'dotenv': ADD + 'python-dotenv; or read os.environ',
    'defusedxml': ADD + 'defusedxml; or use xml.etree.ElementTree: it loads nothing from outside',
    'pytest': ADD + 'pytest; or use unittest',
    'pip': 'nothing can be installed here; the operator adds packages (npm run packages -- add NAME), or put pure-Python modules next to the script',
    'ensurepip': 'nothing can be installed here; put pure-Python modules next to the script',
    '_ssl': NETWORK,
    '_ctypes': 'native code cannot be called from this sandbox',
    '_lzma': 'this Python has no LZMA; use gzip, bz2 or zipfile',
    '_posixshmem': 'there is one process in this sandbox',
    'tkinter': 'there is no screen in this sandbox',
    '_tkinter': 'there is no screen in this sandbox',
    '_curses': 'there is no terminal in this sandbox',
    'readline': 'there is no terminal in this sandbox',
    'termios': 'there is no terminal in this sandbox',
    'js': 'the host is not reachable from Python here',
    'pyodide': 'this is CPython on WebAssembly without Pyodide; the host is not reachable from Python here',
}
for name in ('requests', 'httpx', 'aiohttp', 'urllib3', 'boto3', 'openai', 'anthropic', 'google', 'websockets', 'grpc', 'paramiko'):
    ALTERNATIVES[name] = NETWORK
# Packages whose name differs from their module's.
PACKAGES = {'attr': 'attrs', 'dateutil': 'python-dateutil', 'jwt': 'pyjwt', 'markdown_it': 'markdown-it-py'}


def advice(name):
    """What to do about a missing module; None for a part of a package, and for names that are no package's."""
    if name in ALTERNATIVES:
        return ALTERNATIVES[name]
    # The second line: a part of a project, imported from the wrong folder.
    if '.' in name or name.startswith('_') or name in sys.stdlib_module_names or os.path.exists(name) or os.path.exists(name + '.py'):
        return None
    return f'no file and no package has it; the operator adds packages: npm run packages -- add {PACKAGES.get(name, name)}'


def explain(original):
    """Imports as before; the error for a missing module names an alternative."""

    def _find_and_load_unlocked(name, import_):
        try:
            module = original(name, import_)
        except ModuleNotFoundError as error:
            help = advice(name) if error.name == name and '(' not in error.msg else None
            if help is not None:
                error.msg = f'{error.msg} ({help})'
                error.args = (error.msg,)
            raise
        # A script's own module of this name is left as it is.
        if name in PATCHES and str(getattr(module, '__file__', '')).startswith('/lib/python313.zip/'):
            PATCHES[name](module)
        return module

    # Under importlib's name, tracebacks leave this frame out.
    code = _find_and_load_unlocked.__code__.replace(co_filename='<frozen importlib._bootstrap>')
    _find_and_load_unlocked.__code__ = code
    return _find_and_load_unlocked


bootstrap._find_and_load_unlocked = explain(bootstrap._find_and_load_unlocked)

wait = ask


def sleep(seconds, /):
    """Delay execution for a given number of seconds. The argument may be a floating-point number."""
    if not isinstance(seconds, (int, float)) and not hasattr(seconds, '__index__') and not hasattr(seconds, '__float__'):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    settle()
    end = time.monotonic() + seconds
    # The host returns early when the script has to stop: KeyboardInterrupt, unless the script handles SIGINT.
    while wait(f' sleep {max(0.0, end - time.monotonic())!r}'):
        signal.raise_signal(signal.SIGINT)


sleep.__module__ = 'time'
time.sleep = sleep_with_timers(sleep)


def _no_scheme(self, request):
    raise urllib.error.URLError(NETWORK)


# Without TLS the default error would be "unknown url type: https", which does not name the cause.
urllib.request.UnknownHandler.unknown_open = _no_scheme


def patch_socket(socket):
    def getaddrinfo(host, port, *rest, **more):
        raise socket.gaierror(socket.EAI_FAIL, NETWORK)

    socket.getaddrinfo = getaddrinfo


def patch_asyncio(module):
    """An event loop without sockets: timers and callbacks only."""
    import selectors

    class Timers(selectors._BaseSelectorImpl):
        def select(self, timeout=None):
            if timeout is None or timeout > 0:
                sleep(3600 if timeout is None else timeout)
            return []

    loop = module.BaseSelectorEventLoop
    original = loop.__init__

    def __init__(self, selector=None):
        original(self, Timers())

    loop.__init__ = __init__
    loop._make_self_pipe = lambda self: setattr(self, '_internal_fds', self._internal_fds + 1) or setattr(self, '_ssock', None) or setattr(self, '_csock', None)
    loop._close_self_pipe = lambda self: None
    loop._write_to_self = lambda self: None


PATCHES['asyncio.selector_events'] = patch_asyncio

import socket  # noqa

patch_socket(socket)


def copied_tree(element, memo):
    """A deep copy without recursion: CPython's own, in C, has no limit."""
    result = element.makeelement(element.tag, copy.deepcopy(element.attrib, memo))
    open_elements = [(element, result)]
    while open_elements:
        source, target = open_elements.pop()
        target.text, target.tail = copy.deepcopy(source.text, memo), copy.deepcopy(source.tail, memo)
        memo[id(source)] = target
        for child in source:
            if type(child) is xml.etree.ElementTree.Element:
                made = child.makeelement(child.tag, copy.deepcopy(child.attrib, memo))
                open_elements.append((child, made))
            else:
                made = copy.deepcopy(child, memo)
            target.append(made)
    return result


import copy  # noqa
import xml.etree.ElementTree  # noqa

copy._deepcopy_dispatch[xml.etree.ElementTree.Element] = copied_tree
