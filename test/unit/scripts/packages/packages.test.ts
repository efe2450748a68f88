// Guards package selection: an operator adds only what can run, the newest compatible pure packages, with the bytes
// that the index describes. Everything else is refused with a code and changes nothing.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { zipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { runPackagesVerb } from '../../../../scripts/packages/verbs.ts'
import { PACKAGE_LOCK } from '../../../../scripts/packages/lock.ts'
import { npmArchive, wheel, type WheelParts } from './archives.ts'
import { startIndex, type IndexServer, type ServedWheel } from './index-server.ts'

let index: IndexServer
let root = ''
let output: string[] = []

beforeAll(async () => {
  index = await startIndex()
})
afterAll(async () => index.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-packages-'))
  mkdirSync(join(root, 'skills'))
  index.wheels.clear()
  index.node.clear()
  output = []
})
afterEach(() => rmSync(root, { recursive: true }))

function serve(parts: WheelParts, more: Partial<ServedWheel> = {}): void {
  const name = parts.name.replaceAll('_', '-')
  index.wheels.set(name, [...(index.wheels.get(name) ?? []), { ...wheel(parts), ...more }])
}

const simple = (name: string, version: string, metadata: readonly string[] = []): WheelParts => ({
  name,
  version,
  metadata,
  files: { [`${name}/__init__.py`]: `VERSION = '${version}'\n` },
})

const noNeeds = async (): Promise<readonly []> => []

async function packages(...args: readonly string[]): Promise<number | string> {
  const say = (line: string): void => void output.push(line)
  const addresses = { python: index.python, node: index.npm }
  return runPackagesVerb(args, { root, addresses, needs: noNeeds, say, complain: say })
}

interface LockShape {
  readonly python: Record<string, { version: string; file: string; sha256: string; requested: string | null }>
  readonly node: Record<string, { version: string }>
}
// The cast is safe: the command wrote the lock.
const lock = (): LockShape => JSON.parse(readFileSync(join(root, PACKAGE_LOCK), 'utf8')) as LockShape
const versions = (): Record<string, string> =>
  Object.fromEntries(
    [...Object.entries(lock().python), ...Object.entries(lock().node)].map(([name, { version }]) => [
      name,
      version,
    ]),
  )

/** Tries to add packages, and expects a refusal with this code that changes nothing. */
async function refused(code: string, ...names: readonly string[]): Promise<string> {
  const before = existsSync(join(root, PACKAGE_LOCK)) ? readFileSync(join(root, PACKAGE_LOCK), 'utf8') : null
  expect(await packages('add', ...names)).toBe(1)
  expect(existsSync(join(root, PACKAGE_LOCK)) ? readFileSync(join(root, PACKAGE_LOCK), 'utf8') : null).toBe(
    before,
  )
  const message = output.at(-1) ?? ''
  expect(message).toContain(`(${code})`)
  return message
}

describe('an added package', () => {
  test('is the newest compatible release, with its requirements here', async () => {
    serve(simple('alpha', '1.0'))
    serve(
      simple('alpha', '1.10', ['Requires-Dist: beta>=1,<2', 'Requires-Dist: old; python_version < "3.8"']),
    )
    serve(simple('alpha', '2.0rc1'))
    serve(simple('beta', '1.5'))
    serve(simple('beta', '2.0'))
    expect(await packages('add', 'Alpha')).toBe(0)
    expect(versions()).toEqual({ alpha: '1.10', beta: '1.5' })
    expect(lock().python['alpha']?.requested).toBe('')
    expect(lock().python['beta']?.requested).toBeNull()
    expect(lock().python['alpha']?.sha256).toMatch(/^[\da-f]{64}$/)
    expect(output.join('\n')).toContain('alpha 1.10 (MIT)')
  })

  test('includes the requirements of an extra, if requested', async () => {
    serve(simple('alpha', '1.0', ['Requires-Dist: beta; extra == "fast"']))
    serve(simple('beta', '1.0'))
    await packages('add', 'alpha')
    expect(versions()).toEqual({ alpha: '1.0' })
    await packages('add', 'alpha[fast]')
    expect(versions()).toEqual({ alpha: '1.0', beta: '1.0' })
  })

  test('keeps the versions of other packages, and the same request changes nothing', async () => {
    serve(simple('alpha', '1.0'))
    await packages('add', 'alpha')
    serve(simple('alpha', '1.1'))
    serve(simple('beta', '1.0'))
    await packages('add', 'beta')
    expect(versions()).toEqual({ alpha: '1.0', beta: '1.0' })
    const text = readFileSync(join(root, PACKAGE_LOCK), 'utf8')
    await packages('add', 'beta')
    expect(readFileSync(join(root, PACKAGE_LOCK), 'utf8')).toBe(text)
    await packages('add', 'alpha')
    expect(versions()).toEqual({ alpha: '1.1', beta: '1.0' })
  })

  test('can be an npm package with its dependencies, peers included and scripts not run', async () => {
    const bytes = await npmArchive({ 'package.json': '{"license":"ISC"}', 'index.js': 'module.exports = 1' })
    const manifest = {
      dependencies: { two: '^1.0.0' },
      peerDependencies: { three: '>=1' },
      scripts: { install: 'x' },
    }
    index.node.set('@scope/one', { '1.2.0': { bytes, manifest }, '2.0.0-beta.1': { bytes } })
    index.node.set('two', { '1.4.0': { bytes }, '2.0.0': { bytes } })
    index.node.set('three', { '3.0.0': { bytes } })
    expect(await packages('add', 'npm:@scope/one')).toBe(0)
    expect(versions()).toEqual({ '@scope/one': '1.2.0', two: '1.4.0', three: '3.0.0' })
  })

  test('can be removed, with requirements that only it has', async () => {
    serve(simple('alpha', '1.0', ['Requires-Dist: beta']))
    serve(simple('beta', '1.0'))
    serve(simple('gamma', '1.0'))
    await packages('add', 'alpha', 'gamma')
    expect(await packages('remove', 'beta')).toBe(1)
    expect(output.at(-1)).toContain('beta is required by alpha')
    expect(await packages('remove', 'alpha')).toBe(0)
    expect(versions()).toEqual({ gamma: '1.0' })
    await packages('remove', 'gamma')
    expect(existsSync(join(root, PACKAGE_LOCK))).toBe(false)
  })
})

describe('a refused request', () => {
  test('can be a conflict, which names both packages', async () => {
    serve(simple('alpha', '1.0', ['Requires-Dist: shared<2']))
    serve(simple('beta', '1.0', ['Requires-Dist: shared>=2']))
    serve(simple('shared', '1.0'))
    serve(simple('shared', '2.0'))
    const message = await refused('package_conflict', 'alpha', 'beta')
    expect(message).toContain('alpha 1.0 requires <2')
    expect(message).toContain('beta 1.0 requires >=2')
  })

  test('can be a native package, with alternatives', async () => {
    serve({ ...simple('numpy', '2.0'), tags: 'cp313-cp313-manylinux_2_17_x86_64' })
    expect(await refused('package_native', 'numpy')).toMatch(/numpy is native.*math, statistics.*HTTP tool/)
    serve({ ...simple('hidden', '1.0'), files: { 'hidden/fast.cpython-313.so': 'x' } })
    expect(await refused('package_native', 'hidden')).toContain('hidden/fast.cpython-313.so')
    serve(simple('above', '1.0', ['Requires-Dist: numpy']))
    expect(await refused('package_native', 'above')).toContain('required by above 1.0')
    const bytes = await npmArchive({ 'package.json': '{}', 'build/a.node': 'x' })
    index.node.set('sharp', { '1.0.0': { bytes } })
    await refused('package_native', 'npm:sharp')
    index.node.set('gyp', { '1.0.0': { bytes, manifest: { gypfile: true } } })
    await refused('package_native', 'npm:gyp')
  })

  test('can be a yanked version, if no other one is compatible', async () => {
    serve(simple('alpha', '1.0'))
    serve(simple('alpha', '1.1'), { yanked: 'broken' })
    await packages('add', 'alpha')
    expect(versions()).toEqual({ alpha: '1.0' })
    await refused('package_yanked', 'alpha>1')
  })

  test('can be a version for another Python, or a source archive', async () => {
    serve(simple('alpha', '1.0'), { requiresPython: '>=3.14' })
    expect(await refused('package_conflict', 'alpha')).toContain('requires Python >=3.14')
    index.wheels.set('beta', [{ file: 'beta-1.0.tar.gz', bytes: new Uint8Array(1) }])
    expect(await refused('package_native', 'beta')).toContain('only a source archive')
  })

  test.each([
    ['sha-256', async () => serve(simple('alpha', '1.0'), { sha256: '0'.repeat(64) }), 'alpha'],
    [
      'integrity',
      async () => {
        const bytes = await npmArchive({ 'package.json': '{}' })
        index.node.set('alpha', { '1.0.0': { bytes, integrity: 'sha512-AAAA' } })
      },
      'npm:alpha',
    ],
  ])('can be a file with another %s than in the index', async (_, prepare, name) => {
    await prepare()
    expect(await refused('package_changed', name)).toContain('Nothing was unpacked')
  })

  test.each([
    ['escapes its folder', { '../x.py': 'x' }, 'package_unsafe'],
    ['has an absolute path', { '/etc/x.py': 'x' }, 'package_unsafe'],
    ['has a file twice on some systems', { 'alpha/A.py': 'x', 'alpha/a.py': 'x' }, 'package_unsafe'],
    ['has a name with a backslash', { 'alpha\\x.py': 'x' }, 'package_unsafe'],
    ['is a bomb', { 'alpha/x.py': ' '.repeat(9_000_000) }, 'package_too_large'],
  ] as const)('can be a wheel that %s', async (_, files, code) => {
    serve({ name: 'alpha', version: '1.0', files })
    await refused(code, 'alpha')
  })

  test('can be a wheel with a link, or a file that is not an archive', async () => {
    const bytes = zipSync({
      'alpha/link.py': [new TextEncoder().encode('/etc/x'), { os: 3, attrs: 0o120777 << 16 }],
    })
    index.wheels.set('alpha', [{ file: 'alpha-1.0-py3-none-any.whl', bytes }])
    expect(await refused('package_unsafe', 'alpha')).toContain('link')
    index.wheels.set('beta', [
      { file: 'beta-1.0-py3-none-any.whl', bytes: new TextEncoder().encode('no zip') },
    ])
    await refused('package_unsafe', 'beta')
    const climbing = await npmArchive({ '../../x.js': 'x', 'package.json': '{}' })
    index.node.set('alpha', { '1.0.0': { bytes: climbing } })
    await refused('package_unsafe', 'npm:alpha')
  })

  test('can name an index that is unavailable, unknown, or missing', async () => {
    await refused('package_unknown', 'nothing')
    const port = new URL(index.python).port
    const away = { python: `http://127.0.0.1:${port}/other`, node: undefined }
    const ports = {
      root,
      addresses: away,
      needs: noNeeds,
      say: () => {},
      complain: (line: string) => void output.push(line),
    }
    expect(await runPackagesVerb(['add', 'npm:x'], ports)).toBe(1)
    expect(output.at(-1)).toContain('NPM_PACKAGE_INDEX')
    const closed = {
      ...ports,
      addresses: { python: 'http://127.0.0.1:1/simple', node: 'http://example.org/npm' },
    }
    await runPackagesVerb(['add', 'x'], closed)
    expect(output.at(-1)).toMatch(/cannot be reached.*\(index_unavailable\)/)
    await runPackagesVerb(['add', 'npm:x'], closed)
    expect(output.at(-1)).toMatch(/must begin with https.*\(index_missing\)/)
  })

  test('can name a URL, or a verb that does not exist', async () => {
    await refused('requirement_invalid', 'alpha @ https://example.org/a.whl')
    expect(await packages('upgrade')).toContain('no verb')
    expect(await packages('add')).toContain('needs a package name')
  })
})
