// Guards that nothing of one script reaches the next in the same isolate, and that no script reaches its host.

import { describe, expect, test } from 'vitest'

import { python, run, WORK } from './python-fixture.ts'

/** Looks for what an earlier script may have left. */
const LOOK = `
import builtins, gc, json, os, sys
print(json.dumps([
  'SECRET' in os.environ, hasattr(builtins, 'left'), 'left' in sys.modules, hasattr(json, 'left'), os.path.exists('/tmp/left'),
  os.path.exists('${WORK}/left.txt'), os.getcwd(), sys.path[-1], 'left' in globals(), json.dumps is json.encoder, sys.argv[1:],
]))`
const SITE = '/lib/python3.13/site-packages'
const CLEAN = [false, false, false, false, false, false, WORK, SITE, false, false, []]

async function looked(): Promise<unknown> {
  return JSON.parse((await python(LOOK)).stdout)
}

describe('the next script', () => {
  test('finds nothing of the previous one', async () => {
    const code = `
import builtins, json, os, sys, types
os.environ['MORE'] = 'x'; builtins.left = 1; sys.modules['left'] = types.ModuleType('left'); json.left = 1
json.dumps = json.encoder; left = 1; sys.path.append('/left'); os.chdir('/tmp'); open('/tmp/left', 'w').write('x')
open('${WORK}/left.txt', 'w').write('x')`
    await python(code, { env: { SECRET: 'x' } })
    expect(await looked()).toEqual(CLEAN)
  })

  test('finds nothing of one that was stopped', async () => {
    await python('import os, builtins\nos.environ["SECRET"] = builtins.left = "x"\nwhile True: pass', {
      limits: { wallMs: 300 },
    })
    expect(await looked()).toEqual(CLEAN)
  })

  test('gets new random values and the current time', async () => {
    const code = 'import random, time, uuid, os; print(random.random(), uuid.uuid4(), os.urandom(4).hex())'
    const [one, two] = [await python(code), await python(code)]
    expect(one.stdout).not.toBe(two.stdout)
    const [first = 0, second = 0] = (
      await python('import time, datetime; print(time.time(), datetime.datetime.now().timestamp())')
    ).stdout
      .split(' ')
      .map(Number)
    expect(Math.abs(first - second)).toBeLessThan(60)
    expect(Math.abs(first - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('of a hundred in turn finds nothing of the others', async () => {
    for (let turn = 0; turn < 100; turn += 1) {
      const code = `import builtins\nprint(getattr(builtins, 'turn', None))\nbuiltins.turn = ${turn}\nx = bytearray(${(turn % 7) * 1_000_000})`
      expect((await python(code)).stdout).toBe('None\n')
    }
    expect(await looked()).toEqual(CLEAN)
  })
})

describe('the host', () => {
  test.each([
    'import js',
    'import _pyodide',
    'import pyodide_js',
    'import _pyodide_core',
    'from pyodide.code import run_js',
    'import ctypes; ctypes.CDLL(None)',
    'open("/proc/self/environ")',
    'open("/proc/self/mem", "rb")',
    'open("/dev/.pipe")',
    'open("/.order")',
    'open("/mnt/user-data/../../../.order")',
    'open("/etc/passwd")',
    'open("/boot/start.py")',
    'open("a\\0b")',
    'open("/tmp/" + "a/" * 5000, "w")',
    'open(b"/tmp/\\xff", "w")',
    'import os; os.symlink("/", "/tmp/root")',
    'import os; os.link("/lib/python313.zip", "/tmp/zip")',
    'import os; os.rename("/lib", "/tmp/lib")',
    'import os; os.open("/lib/python313.zip", os.O_RDWR)',
    'import os; os.open("/lib/python313.zip", os.O_RDONLY | os.O_TRUNC)',
    'import os; os.truncate("/lib/python313.zip", 0)',
    'import mmap; mmap.mmap(open("/lib/python313.zip", "rb").fileno(), 0)[0] = 1',
  ])('is not reached: %s', async (code) => {
    const { exitCode, stderr } = await python(code)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^(?:ModuleNotFoundError|FileNotFoundError|OSError|PermissionError|ValueError|TypeError|AttributeError)/m,
    )
  })

  test.each([
    'open("/mnt/skills/public/x/new", "w")',
    'open("/mnt/skills/public/x/SKILL.md", "a")',
    'open("/mnt/skills/public/x/SKILL.md", "r+")',
    'import os; os.remove("/mnt/skills/public/x/SKILL.md")',
    'import os; os.rename("/mnt/skills/public/x", "/tmp/x")',
    'import os; os.chmod("/mnt/skills/public/x/SKILL.md", 0o777)',
    'import os; os.utime("/mnt/skills/public/x/SKILL.md")',
    'import os; os.makedirs("/mnt/skills/custom/y")',
    'open("/mnt/user-data/uploads/../../skills/public/x/new", "w")',
  ])('keeps its skills unchanged: %s', async (code) => {
    const files = { '/mnt/skills/public/x/SKILL.md': 'text' }
    const { exitCode, stderr, changes } = await python(code, { files })
    expect([exitCode, changes]).toEqual([1, {}])
    expect(stderr).toMatch(/Read-only file system|FileNotFoundError/)
  })

  test('ignores commands that look like its own', async () => {
    const code =
      'import os, time\nt = time.time()\nprint(os.system(" out of memory"), os.system(" sleep nonsense"), os.system(""))'
    expect((await python(code)).exitCode).toBe(0)
  })

  test('returns no file outside the tree', async () => {
    const requested: string[] = []
    const read = async (path: string): Promise<Uint8Array> => {
      requested.push(path)
      return new Uint8Array(1)
    }
    await python(
      'import os\nfor p in ["x", "/mnt/skills/a", "/etc/passwd"]:\n  try: open(p)\n  except OSError: pass',
      { host: { read } },
    )
    expect(requested).toEqual([])
  })
})

test('a script that reads a deleted file gets an error', async () => {
  const files = { [`${WORK}/a`]: 'a' }
  const { stderr } = await run({
    argv: ['python3', '-c', 'open("a")'],
    files,
    host: { read: async () => null },
  })
  expect(stderr).toContain('FileNotFoundError')
})
