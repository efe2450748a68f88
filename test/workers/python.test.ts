// Guards that a script sees CPython: arguments, streams, exit codes, tracebacks, files and modules.

import { describe, expect, test } from 'vitest'

import { python, run, WORK } from './python-fixture.ts'

const SKILL = '/mnt/skills/public/x/scripts'

describe('a command', () => {
  test('prints, and reports its release', async () => {
    const { stdout } = await python('import sys; print("hello", sys.version.split()[0])')
    expect(stdout).toBe(`hello ${(await run({ argv: ['python3', '--version'] })).stdout.split(' ')[1]}`)
  })

  test('gets arguments, stdin, environment and folder', async () => {
    const code = 'import os, sys; print(sys.argv, sys.stdin.read(), os.environ["KEY"], os.getcwd())'
    const { stdout } = await python(code, {
      argv: ['python3', '-c', code, 'a b', 'ü'],
      stdin: 'in\n',
      env: { KEY: 'value' },
    })
    expect(stdout).toBe(`['-c', 'a b', 'ü'] in\n value ${WORK}\n`)
  })

  test('may run in an empty folder', async () => {
    const cwd = `${WORK}/made/by/the/shell`
    const { stdout, changes } = await python('import os; print(os.getcwd()); open("a", "w").write("x")', {
      cwd,
    })
    expect([stdout, changes]).toEqual([`${cwd}\n`, { [`${cwd}/a`]: 'x' }])
  })

  test('may be a script, a module, or come from stdin', async () => {
    const files = { [`${WORK}/a.py`]: 'import sys; print(__name__, __file__, sys.argv)' }
    expect((await run({ argv: ['python3', 'a.py', '1'], files })).stdout).toBe(
      `__main__ ${WORK}/a.py ['a.py', '1']\n`,
    )
    expect((await run({ argv: ['python3', '-m', 'json.tool', '--compact'], stdin: '{"a": 1}' })).stdout).toBe(
      '{"a":1}\n',
    )
    expect((await run({ argv: ['python3', '-'], stdin: 'print(6 * 7)' })).stdout).toBe('42\n')
  })

  test('keeps bytes that are not text', async () => {
    const { stdout } = await python('import sys; sys.stdout.buffer.write(bytes(range(128)))')
    expect(stdout).toBe(String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code)))
  })

  test('streams its output while it runs', async () => {
    const cacheSettings: string[] = []
    const code = 'import time\nprint("first", flush=True)\ntime.sleep(0.5)\nprint("last")'
    const { stdout } = await python(code, { host: { progress: (text) => void cacheSettings.push(text) } })
    expect(stdout).toBe('first\nlast\n')
    expect(cacheSettings[0]).toBe('first\n')
  })
})

describe('an option', () => {
  const files = {
    [`${WORK}/beside.py`]: 'print("beside")',
    [`${WORK}/asserts.py`]: 'assert False\nprint(__debug__)',
    [`${WORK}/main.py`]: 'import asserts',
  }
  const of = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await run({
      argv: ['python3', ...words],
      files,
      env: { PYTHONPATH: '/tmp/q' },
    })
    return stdout + (stderr.trimEnd().split('\n').at(-1) ?? '')
  }

  test.each([
    [['-c', 'import beside, sys; print("/tmp/q" in sys.path)'], 'beside\nTrue\n'],
    [
      ['-Ic', 'import sys; print(sys.flags.isolated, "/tmp/q" in sys.path)\nimport beside'],
      /^1 False\nModuleNotF/,
    ],
    [['-P', '-c', 'import sys; print(sys.flags.safe_path, "" in sys.path)'], 'True False\n'],
    [['-Ec', 'import sys; print("/tmp/q" in sys.path, sys.flags.ignore_environment)'], 'False 1\n'],
    [['-IEsuB', '-qc', 'import sys; print(sys.flags.no_user_site, sys.flags.quiet)'], '1 1\n'],
    [
      ['-S', '-c', 'import sys; print(sys.flags.no_site); exit()'],
      "1\nNameError: name 'exit' is not defined",
    ],
    [['asserts.py'], 'AssertionError'],
    [['-O', 'asserts.py'], 'False\n'],
    [['-O', 'main.py'], 'False\n'],
    [['-Om', 'asserts'], 'False\n'],
    [['-OOc', 'def f(): "words"\nprint(f.__doc__)'], 'None\n'],
    [['-W', 'ignore::UserWarning', '-c', 'import warnings; warnings.warn("a")'], ''],
    [['-W', 'error::UserWarning', '-c', 'import warnings; warnings.warn("a")'], 'UserWarning: a'],
    [['-X', 'dev', '-X', 'a=b', '-c', 'import sys; print(sys._xoptions)'], "{'dev': True, 'a': 'b'}\n"],
    [['-x', 'main.py'], ''],
  ])('%j takes effect', async (words, output) => {
    const all = await of(...words)
    if (typeof output === 'string') expect(all).toBe(output)
    else expect(all).toMatch(output)
  })
})

describe('an error of the system', () => {
  test('has its Linux number everywhere', async () => {
    const code = `
import errno, os
def said(call):
    try: call()
    except OSError as e: print(type(e).__name__, e.errno, str(e)[:10], e.args[0], errno.errorcode[e.errno], os.strerror(e.errno) == e.strerror)
said(lambda: open('none')); said(lambda: os.mkdir('/tmp')); said(lambda: os.listdir('f')); said(lambda: os.close(99))
said(lambda: open('/mnt/user-data/x', 'w')); said(lambda: os.chdir('f/g'))
print(errno.ENOENT, type(OSError(2, '')), type(OSError(13, '')), type(OSError(errno.ETIMEDOUT, '')))
`
    const { stdout } = await python(code, { files: { [`${WORK}/f`]: '' } })
    expect(stdout.split('\n')).toEqual([
      'FileNotFoundError 2 [Errno 2]  2 ENOENT True',
      'FileExistsError 17 [Errno 17] 17 EEXIST True',
      'NotADirectoryError 20 [Errno 20] 20 ENOTDIR True',
      'OSError 9 [Errno 9]  9 EBADF True',
      'OSError 30 [Errno 30] 30 EROFS True',
      'NotADirectoryError 20 [Errno 20] 20 ENOTDIR True',
      "2 <class 'FileNotFoundError'> <class 'PermissionError'> <class 'TimeoutError'>",
      '',
    ])
  })
})

test('os.umask() applies to new files and folders', async () => {
  const code = `
import os
print(oct(os.umask(0o077)), oct(os.umask(0o027)))
open('f', 'w').close(); os.mkdir('d'); os.close(os.open('g', os.O_CREAT | os.O_WRONLY, 0o666))
print([oct(os.stat(name).st_mode & 0o777) for name in ('f', 'd', 'g')])
`
  expect((await python(code)).stdout).toBe("0o22 0o77\n['0o640', '0o750', '0o640']\n")
})

describe('an exit code', () => {
  test.each([
    ['pass', 0],
    ['raise SystemExit', 0],
    ['raise SystemExit(3)', 3],
    ['import sys; sys.exit(-1)', 255],
    ['import sys; sys.exit("no good")', 1],
    ['1/0', 1],
    ['raise KeyboardInterrupt', 130],
    ['import os; os._exit(9)', 9],
    ['import os; os.abort()', 134],
    ['def (', 1],
  ])('of %j is %i', async (code, exitCode) => {
    const answer = await python(code)
    expect(answer).toMatchObject({ exitCode, stopped: null })
  })

  test('of os._exit() keeps output with -u, and loses buffered output without it', async () => {
    const code =
      'import os, sys; print("a"); sys.stdout.buffer.write(b"b"); sys.stderr.write("c"); os._exit(3)'
    expect(await run({ argv: ['python3', '-u', '-c', code] })).toMatchObject({
      exitCode: 3,
      stdout: 'a\nb',
      stderr: 'c',
    })
    expect(await python(code)).toMatchObject({ exitCode: 3, stdout: '' })
  })

  test('is 2 for a missing script', async () => {
    const { exitCode, stderr } = await run({ argv: ['python3', 'nope.py'] })
    expect(exitCode).toBe(2)
    expect(stderr).toBe(`python3: can't open file '${WORK}/nope.py': [Errno 2] No such file or directory\n`)
  })
})

test('a traceback names the files and lines of the script, and nothing of ours', async () => {
  const files = {
    [`${SKILL}/y.py`]: 'import other\nother.fail()\n',
    [`${SKILL}/other.py`]: 'def fail():\n    raise ValueError("no")\n',
  }
  const { stderr } = await run({ argv: ['python3', `${SKILL}/y.py`], files })
  expect(stderr).toBe(
    [
      'Traceback (most recent call last):',
      `  File "${SKILL}/y.py", line 2, in <module>`,
      '    other.fail()',
      '    ~~~~~~~~~~^^',
      `  File "${SKILL}/other.py", line 2, in fail`,
      '    raise ValueError("no")',
      'ValueError: no',
      '',
    ].join('\n'),
  )
})

describe('files', () => {
  test('are fetched when they are opened, and only then', async () => {
    const files = { [`${WORK}/a.txt`]: 'AAA', [`${WORK}/b.txt`]: 'BBBB' }
    const read: string[] = []
    const code = 'import os; print(open("a.txt").read(), os.path.getsize("b.txt"), sorted(os.listdir(".")))'
    const { stdout } = await python(code, {
      files,
      host: {
        read: async (path) => {
          read.push(path)
          return new TextEncoder().encode('AAA')
        },
      },
    })
    expect(stdout).toBe("AAA 4 ['a.txt', 'b.txt']\n")
    expect(read).toEqual([`${WORK}/a.txt`])
  })

  test('are returned as changes', async () => {
    const code = `
import os, pathlib, shutil
open('new.txt', 'w').write('new')
open('left-open.txt', 'w').write('written at the end')
f = open('also.txt', 'w'); f.write('never closed')
open('old.txt', 'a').write('+')
os.remove('gone.txt')
os.rename('from.txt', '/mnt/user-data/outputs/to.txt')
pathlib.Path('a/b').mkdir(parents=True); pathlib.Path('a/b/c').write_bytes(b'c')
shutil.copy('same.txt', '/tmp/x')
`
    const names = ['old', 'gone', 'from', 'same']
    const files = Object.fromEntries(names.map((name) => [`${WORK}/${name}.txt`, name]))
    expect((await python(code, { files })).changes).toEqual({
      '/mnt/user-data/outputs/to.txt': 'from',
      [`${WORK}/a/b/c`]: 'c',
      [`${WORK}/also.txt`]: 'never closed',
      [`${WORK}/from.txt`]: null,
      [`${WORK}/gone.txt`]: null,
      [`${WORK}/left-open.txt`]: 'written at the end',
      [`${WORK}/new.txt`]: 'new',
      [`${WORK}/old.txt`]: 'old+',
      // The calling shell sees it, and the host does not keep it.
      '/tmp/x': 'same',
    })
  })

  test('that the calling shell changed are visible, and not reported again', async () => {
    const { stdout, changes } = await python('import os; print(open("a").read(), os.path.exists("b"))', {
      files: { [`${WORK}/a`]: 'old', [`${WORK}/b`]: 'b' },
      overlay: { [`${WORK}/a`]: 'newer', [`${WORK}/b`]: null },
    })
    expect([stdout, changes]).toEqual(['newer False\n', {}])
  })
})

describe('modules', () => {
  const NAMES =
    'abc argparse array ast asyncio base64 bisect calendar cmath collections configparser contextlib copy csv dataclasses ' +
    'datetime decimal difflib email enum fractions functools glob graphlib gzip hashlib heapq hmac html http.client inspect ' +
    'io ipaddress itertools json logging math mimetypes operator pathlib pickle platform plistlib pprint queue random re ' +
    'sched secrets shlex shutil statistics string struct tarfile tempfile textwrap threading time timeit tokenize tomllib ' +
    'traceback types typing unicodedata unittest urllib.request uuid wave xml.dom.minidom xml.etree.ElementTree zipfile zlib zoneinfo fcntl pwd grp resource'

  test('of the standard library exist', async () => {
    const { stdout, stderr } = await python(
      `import importlib\nfor name in '${NAMES}'.split(): importlib.import_module(name)\nprint('all')`,
    )
    expect([stdout, stderr]).toEqual(['all\n', ''])
  })

  test('show the same machine and user as the shell', async () => {
    const { stdout } = await python(
      `import getpass, os, pathlib, platform, sys
print(sys.platform, platform.system(), platform.machine(), os.geteuid(), getpass.getuser(), pathlib.Path('.').owner())
try: os.get_terminal_size()
except OSError as error: print(error.errno)`,
    )
    expect(stdout).toBe('linux Linux x86_64 1000 user user\n25\n')
  })

  test('lock files: fcntl.flock holds until it is released or its file is closed', async () => {
    const { stdout } = await python(`
import fcntl
a, b = open('x', 'w'), open('x')
fcntl.flock(a, fcntl.LOCK_EX)
try: fcntl.flock(b, fcntl.LOCK_SH | fcntl.LOCK_NB)
except BlockingIOError as error: print(error)
a.close()
fcntl.flock(b, fcntl.LOCK_SH | fcntl.LOCK_NB)
fcntl.flock(b, fcntl.LOCK_UN)
fcntl.flock(open('x'), fcntl.LOCK_EX | fcntl.LOCK_NB)
print('ok')`)
    expect(stdout).toBe('[Errno 11] Resource temporarily unavailable\nok\n')
  })

  test('are found beside the script first, then in PYTHONPATH, then in the standard library', async () => {
    const files = {
      [`${SKILL}/y.py`]:
        'import helper, mine, csv, tomllib, statistics, sys\nprint(helper.x, mine.x, csv.x, tomllib.x, statistics.__file__, sys.path)',
      [`${SKILL}/helper.py`]: 'x = "skill"',
      [`${SKILL}/csv.py`]: 'x = "own csv"',
      [`${SKILL}/statistics/data.txt`]: '',
      '/tmp/more/helper.py': 'x = "more"',
      '/tmp/more/mine.py': 'x = "mine"',
      '/tmp/more/tomllib/__init__.py': 'x = "own tomllib"',
    }
    const { stdout } = await run({
      argv: ['python3', `${SKILL}/y.py`],
      files,
      env: { PYTHONPATH: '/tmp/more' },
    })
    expect(stdout).toBe(
      "skill mine own csv own tomllib /lib/python313.zip/statistics.pyc ['/mnt/skills/public/x/scripts', '/tmp/more', " +
        "'/lib/python313.zip', '/lib/python3.13', '/lib/python3.13/lib-dynload', '/lib/python3.13/site-packages']\n",
    )
  })

  test('of the workspace are not found by a script in another folder', async () => {
    const files = {
      [`${SKILL}/y.py`]:
        'import json, random\nprint(random.random() < 1, json.dumps(1))\ntry: import yaml\nexcept ImportError: print("none")',
      [`${WORK}/yaml.py`]: 'print("planted")',
      [`${WORK}/json.py`]: 'print("planted")',
      [`${WORK}/random.py`]: 'print("planted")',
      [`${WORK}/own.py`]: 'import yaml',
    }
    expect((await run({ argv: ['python3', `${SKILL}/y.py`], files })).stdout).toBe('True 1\nnone\n')
    for (const argv of [['own.py'], ['-m', 'own'], ['-c', 'import yaml']])
      expect((await run({ argv: ['python3', ...argv], files })).stdout).toBe('planted\n')
    expect((await run({ argv: ['python3', '-'], stdin: 'import yaml', files })).stdout).toBe('planted\n')
  })

  test.each([
    ['numpy', /^ModuleNotFoundError: No module named 'numpy' \(it is compiled code .* statistics/],
    ['requests', /no network in this sandbox/],
    ['ctypes', /native code/],
    ['ssl', /no network/],
    ['js', /not reachable/],
    [
      'nonsense_module',
      /^ModuleNotFoundError: No module named 'nonsense_module' \(no file .* packages -- add nonsense_module\)$/,
    ],
  ])('that are missing say so: %s', async (name, words) => {
    const { stderr, exitCode } = await python(`import ${name}`)
    expect(exitCode).toBe(1)
    expect(stderr.trim().split('\n').at(-1)).toMatch(words)
  })

  test('that are missing can be looked up without an error', async () => {
    expect((await python('import importlib.util as u; print(u.find_spec("numpy"))')).stdout).toBe('None\n')
  })
})

describe('a missing feature', () => {
  test.each([
    ['import urllib.request as u; u.urlopen("http://example.com")', /no network in this sandbox/],
    ['import urllib.request as u; u.urlopen("https://example.com")', /no network in this sandbox/],
    ['import socket; socket.socket()', /Network unreachable/],
    ['import os; os.fork()', /OSError/],
    ['import os; os.symlink("a", "b")', /PermissionError/],
  ])('says so: %s', async (code, words) => {
    expect((await python(code)).stderr).toMatch(words)
  })

  test('a script that cannot write below /mnt/skills gets an error that says where to write', async () => {
    const files = { '/mnt/skills/public/x/SKILL.md': 'a' }
    const reported = async (code: string): Promise<string> => (await python(code, { files })).stderr
    for (const code of [
      'open("/mnt/skills/public/x/out", "w")',
      'import os; os.makedirs("/mnt/skills/public/x/a/b")',
      'import os; os.chdir("/mnt/skills/public/x"); os.remove("SKILL.md")',
    ])
      expect(await reported(code)).toMatch(
        /cannot be changed: write below \/mnt\/user-data\/workspace or .*\n$/,
      )
    expect(await reported('try: open("/mnt/skills/public/x/out", "w")\nexcept OSError: pass')).toBe('')
  })

  test('help() prints without a pager', async () => {
    const { stdout, stderr } = await python('help(len)')
    expect([stdout.split('\n')[0], stderr]).toEqual(['Help on built-in function len in module builtins:', ''])
  })

  test('thread pools and event loops work', async () => {
    const code = `
import asyncio
from concurrent.futures import ThreadPoolExecutor
async def later(x):
    await asyncio.sleep(0.01)
    return x
async def main(): return await asyncio.gather(later(1), later(2))
with ThreadPoolExecutor() as pool: print(list(pool.map(str, range(3))), asyncio.run(main()))`
    expect((await python(code)).stdout).toBe("['0', '1', '2'] [1, 2]\n")
  })
})
