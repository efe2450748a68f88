// Guards the package build: scripts import the locked packages in Python and Node, two builds give equal bytes, and a
// failed build leaves the earlier files unchanged. Ten packages come from a local index.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startWorkerd } from '../../scripts/lab/sandbox/workerd.ts'
import { layOutPackages } from '../../scripts/build/build-packages.ts'
import { runPackagesVerb } from '../../scripts/packages/verbs.ts'
import { buildRuntimes } from '../../scripts/runtimes/build.ts'
import { RUNTIMES } from '../../scripts/runtimes/store.ts'
import { npmArchive, wheel } from '../unit/scripts/packages/archives.ts'
import { startIndex, type IndexServer } from '../unit/scripts/packages/index-server.ts'

import type { CommandAnswer } from '../../scripts/lab/sandbox/host.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A timeout for a test that never ends. */
const NEVER_MS = 300_000
const AWAY = { python: 'http://127.0.0.1:1/simple', node: 'http://127.0.0.1:1/npm' }
const PYTHON = {
  alpha: {
    'alpha/__init__.py': 'from beta import twice\nfrom . import deep\n',
    'alpha/deep/__init__.py': 'DEEP = 3\n',
  },
  beta: { 'beta.py': 'def twice(x):\n    return 2 * x\n\ndef fail():\n    raise ValueError("inside")\n' },
  gamma: {
    'gamma/__init__.py':
      'from importlib.resources import files\nTEXT = files(__name__).joinpath("text.txt").read_text()\n',
    'gamma/text.txt': 'grüße',
  },
  delta: {
    'delta/__init__.py':
      'import os\nTEXT = open(os.path.join(os.path.dirname(__file__), "data.csv")).read()\n',
    'delta/data.csv': 'a,b',
  },
  json: {
    'json/__init__.py': 'raise ImportError("the standard library comes first")\n',
    'epsilon.py': 'import json\nWHERE = json.__file__\n',
  },
  zeta: {
    'zeta/__init__.py': 'print("a syntax of Python 2"\n',
    'zeta/old.py': 'print "x"\n',
    'zeta_ok.py': 'OK = 1\n',
    'zeta_long.py': `def sum(a):\n    return a${' + a'.repeat(99)}\n`,
  },
}

let index: IndexServer
let root = ''
let ask: (command: string) => Promise<string> = async () => ''
let dispose = async (): Promise<void> => {}

/** A checkout with its own lock and dist folder. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-checkout-'))
  for (const name of ['node_modules', 'scripts', 'src', 'package.json', 'package-lock.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  mkdirSync(join(folder, 'skills'))
  if (existsSync(join(ROOT, RUNTIMES)))
    cpSync(join(ROOT, RUNTIMES), join(folder, RUNTIMES), { recursive: true })
  return folder
}

function stored(): Readonly<Record<string, string>> {
  const folder = join(root, RUNTIMES)
  const files = readdirSync(folder).filter((file) => file.startsWith('packages'))
  return Object.fromEntries(
    files.toSorted().map((file) => [file, readFileSync(join(folder, file), 'base64')]),
  )
}

beforeAll(async () => {
  index = await startIndex()
  root = checkout()
  for (const [name, files] of Object.entries(PYTHON)) {
    const metadata = name === 'alpha' ? ['Requires-Dist: beta>=1'] : []
    index.wheels.set(name, [wheel({ name, version: '1.0', files, metadata })])
  }
  const node: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    common: {
      'package.json': '{"main":"lib"}',
      'lib/index.js': 'module.exports = require("./data.json").value',
      'lib/data.json': '{"value":7}',
    },
    modern: {
      'package.json':
        '{"type":"module","exports":{".":{"types":"./m.d.ts","import":"./m.js"},"./sub":"./s.js"}}',
      'm.js': 'import common from "common"; export const sum = common + 1',
      's.js': 'export default "sub"',
      'm.d.ts': 'export const sum: number',
    },
    '@scope/named': { 'package.json': '{"main":"a.cjs"}', 'a.cjs': 'exports.name = __filename' },
    reader: {
      'package.json': '{}',
      'index.js': 'module.exports = require("fs").readFileSync(__dirname + "/t.txt", "utf8")',
      't.txt': 'read',
    },
  }
  for (const [name, files] of Object.entries(node))
    index.node.set(name, {
      '1.0.0': {
        bytes: await npmArchive(files),
        manifest: name === 'modern' ? { dependencies: { common: '1' } } : {},
      },
    })
  const addresses = { python: index.python, node: index.npm }
  const problems: string[] = []
  const ports = {
    root,
    addresses,
    needs: async () => [],
    say: () => {},
    complain: (line: string) => void problems.push(line),
  }
  const names = [
    ...Object.keys(PYTHON).filter((name) => name !== 'beta'),
    'npm:modern',
    'npm:@scope/named',
    'npm:reader',
  ]
  expect([await runPackagesVerb(['add', ...names], ports), problems]).toEqual([0, []])
  const workerd = await startWorkerd(root, 'scripts/lab/sandbox/host.ts')
  dispose = workerd.dispose
  ask = async (command) => {
    // The cast is safe: the Worker is scripts/lab/sandbox/host.ts.
    const answer = (await workerd.ask({ command, wallMs: 60_000, files: {} })) as CommandAnswer
    return Buffer.from(answer.stdout, 'base64').toString() + Buffer.from(answer.stderr, 'base64').toString()
  }
}, NEVER_MS)

afterAll(async () => {
  await dispose()
  await index.close()
  rmSync(root, { recursive: true })
})

describe('a script', { timeout: NEVER_MS }, () => {
  test.each([
    ['a package and its requirements', 'import alpha; print(alpha.twice(alpha.deep.DEEP))', '6'],
    ['data through importlib.resources', 'import gamma; print(gamma.TEXT)', 'grüße'],
    ['data beside a module', 'import delta; print(delta.TEXT)', 'a,b'],
    ['its own library first', 'import epsilon; print(epsilon.WHERE)', '/lib/python313.zip/json/__init__.pyc'],
    ['the version of a package', 'import importlib.metadata as m; print(m.version("beta"))', '1.0'],
    ['a module beside one that does not compile', 'import zeta_ok; print(zeta_ok.OK)', '1'],
    ['a module with a long expression', 'import zeta_long; print(zeta_long.sum(2))', '200'],
    [
      'time zones',
      'from zoneinfo import ZoneInfo as Z; from datetime import datetime as D; print(D(2050, 7, 1, tzinfo=Z("Europe/Berlin")))',
      '2050-07-01 00:00:00+02:00',
    ],
  ])('finds %s in Python', async (_, code, expected) => {
    expect(await ask(`python3 -c '${code}'`)).toBe(`${expected}\n`)
  })

  test('shows lines of a package in a traceback, and cannot change the package', async () => {
    const trace = await ask(`python3 -c 'import beta; beta.fail()'`)
    expect(trace).toContain(
      '/lib/python3.13/site-packages/beta.py", line 5, in fail\n    raise ValueError("inside")',
    )
    const change = await ask(`python3 -c 'open("/lib/python3.13/site-packages/beta.py", "w")'`)
    expect(change).toContain('Read-only file system')
    expect(await ask(`python3 -S -c 'import beta'`)).toContain('ModuleNotFoundError')
  })

  test.each([
    [
      'with require',
      `node -e 'console.log(require("common"), require("@scope/named").name, require("reader"))'`,
      '7 /node_modules/@scope/named/a.cjs read',
    ],
    [
      'with import',
      `node --input-type=module -e 'import { sum } from "modern"; import s from "modern/sub"; console.log(sum, s)'`,
      '8 sub',
    ],
  ])('finds packages %s in Node', async (_, command, expected) => {
    expect(await ask(command)).toBe(`${expected}\n`)
  })
})

describe('a build', { timeout: NEVER_MS }, () => {
  test('gives equal bytes again, without an index', async () => {
    const before = stored()
    rmSync(join(root, RUNTIMES, 'packages.json'))
    await buildRuntimes(root, false, () => {})
    expect(stored()).toEqual(before)
  })

  test('fetches missing packages, and only the locked bytes', async () => {
    const before = stored()
    rmSync(join(root, 'dist/packages-cache'), { recursive: true })
    const away = await layOutPackages(root, AWAY, () => {})
    expect(away).toMatchObject({ ok: false, error: { code: 'index_unavailable' } })
    const sent = index.sent()
    const [real] = index.wheels.get('gamma') ?? []
    index.wheels.set('gamma', [wheel({ name: 'gamma', version: '1.0', files: { 'gamma.py': 'other' } })])
    const addresses = { python: index.python, node: index.npm }
    try {
      const changed = await layOutPackages(root, addresses, () => {})
      expect(changed).toMatchObject({ ok: false, error: { code: 'package_changed' } })
      expect(stored()).toEqual(before)
    } finally {
      index.wheels.set('gamma', real ? [real] : [])
    }
    expect(await layOutPackages(root, addresses, () => {})).toEqual({ ok: true, value: 10 })
    // Ten packages, and the file that was refused.
    expect(index.sent() - sent).toBe(11)
    expect(stored()).toEqual(before)
  })

  test('names the package and the file that crash the compiler, and changes nothing', async () => {
    const before = stored()
    const lock = readFileSync(join(root, 'skills/packages.lock'))
    const files = { 'omega/a.py': '', 'omega/b.py': `x = ${'not '.repeat(20_000)}1\n`, 'omega/c.py': '' }
    index.wheels.set('omega', [wheel({ name: 'omega', version: '1.0', files })])
    const addresses = { python: index.python, node: index.npm }
    const ports = { root, addresses, needs: async () => [], say: () => {}, complain: () => {} }
    try {
      expect(await runPackagesVerb(['add', 'omega'], ports)).toBe(0)
      await expect(layOutPackages(root, addresses, () => {})).rejects.toThrow(
        /omega\/b\.py of the package omega 1\.0 .*npm run packages -- remove omega/,
      )
    } finally {
      writeFileSync(join(root, 'skills/packages.lock'), lock)
    }
    expect(stored()).toEqual(before)
  })

  test('refuses a lock that is damaged or names a path, and changes nothing', async () => {
    const before = stored()
    const file = join(root, 'skills/packages.lock')
    const lock = readFileSync(file, 'utf8')
    for (const text of [
      '{',
      lock.replace('"gamma"', '"../gamma"'),
      lock.replace(/"sha256": "\w/, '"sha256": "-'),
    ]) {
      writeFileSync(file, text)
      expect(await layOutPackages(root, AWAY, () => {})).toMatchObject({
        ok: false,
        error: { code: 'lock_invalid' },
      })
    }
    writeFileSync(file, lock)
    expect(stored()).toEqual(before)
  })
})
