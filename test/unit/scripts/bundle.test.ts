// Promise: npm start bundles exactly what a deployment bundles.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { bundleWorker, measureStartCode, REPLACEMENTS } from '../../../scripts/workerd/bundle.ts'
import { withPlatformTables } from '../../../scripts/workerd/smaller-re2js.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-bundle-'))
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'package.json'), '{}')
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(root, 'node_modules'))
})
afterEach(() => rmSync(root, { recursive: true }))

function source(name: string, text: string): void {
  writeFileSync(join(root, 'src', name), text)
}

test("TypeScript is bundled into one module; the platform's modules stay outside", async () => {
  source(
    'index.ts',
    `import { answer } from './answer.ts'
    import { DurableObject } from 'cloudflare:workers'
    export class Thread extends DurableObject {}\nexport default { answer }`,
  )
  source('answer.ts', 'export const answer: number = 42')
  const code = await bundleWorker(root, 'src/index.ts')
  expect(code).toContain('42')
  expect(code).toContain('from "cloudflare:workers"')
})

test('an error names its file and line', async () => {
  source('index.ts', '\nexport default {')
  await expect(bundleWorker(root, 'src/index.ts')).rejects.toThrow(/src\/index\.ts:2:16/)
})

test('lazily imported code does not count as evaluated at the start, unless it is also imported eagerly', async () => {
  source('index.ts', `import './early.ts'\nexport const go = async () => import('./late.ts')`)
  source('early.ts', `import './shared.ts'\nconsole.log('early')`)
  source('late.ts', `import './shared.ts'\nimport './deep.ts'\nexport const late = 'late '.repeat(9)`)
  source('deep.ts', `console.log('${'deep '.repeat(200)}')`)
  source('shared.ts', `console.log('${'shared '.repeat(200)}')`)
  const { bytes, modules, allBytes } = await measureStartCode(root, 'src/index.ts')
  expect(modules).toBe(3)
  expect(bytes).toBeGreaterThan(1_400)
  expect(allBytes - bytes).toBeGreaterThan(1_000)
})

test('replacements of packages are the same as in a deployment', () => {
  const text = readFileSync(new URL('../../../wrangler.toml', import.meta.url), 'utf8')
  const section = /\[alias\]\n((?:".*\n)*)/.exec(text)?.[1] ?? ''
  const pairs = [...section.matchAll(/^"(.+)" = "(.+)"$/gm)].map(([, name, path]) => [name, path])
  expect(Object.fromEntries(pairs)).toEqual(REPLACEMENTS)
})

test('the replaced signature library gives the same results', async () => {
  const { hmac } = await import('../../../src/stand-ins/sha256.ts')
  // RFC 4231, test case 2.
  expect(Buffer.from(hmac('Jefe', 'what do ya want for nothing?')).toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

/** The Unicode tables of re2js, with or without those that the platform makes. */
async function tablesOf(name: string, change: (code: string) => string): Promise<Tables> {
  const code = readFileSync(fileURLToPath(import.meta.resolve('re2js')), 'utf8')
  const path = join(root, name)
  writeFileSync(path, `${change(code)}\nexport { UnicodeTables }`)
  // The cast is safe: it is the package's own code.
  return ((await import(/* @vite-ignore */ path)) as { UnicodeTables: Tables }).UnicodeTables
}

type Tables = Readonly<
  Record<'CATEGORIES' | 'SCRIPTS', { get(name: string): { readonly data: Uint32Array } }>
>

/** One byte for each character: 1 if it is in the table. */
function members({ data }: { readonly data: Uint32Array }): Uint8Array {
  const found = new Uint8Array(0x11_0000)
  for (let at = 0; at < data.length; at += 3)
    for (let point = data[at] ?? 0; point <= (data[at + 1] ?? 0); point += data[at + 2] ?? 1) found[point] = 1
  return found
}

test('Unicode properties in patterns match the same characters, from the package or the platform', async () => {
  const [listed, made] = [
    await tablesOf('listed.mjs', (code) => code),
    await tablesOf('made.mjs', withPlatformTables),
  ]
  const names = [
    ...withPlatformTables(readFileSync(fileURLToPath(import.meta.resolve('re2js')), 'utf8')).matchAll(
      /platformTable\("(Script=)?(\w+)"\)/g,
    ),
  ]
  expect(names.length).toBeGreaterThan(50)
  // Versions of Unicode may differ in characters that only one of them knows.
  const unknown = [listed, made].map((tables) => members(tables.CATEGORIES.get('Cn')))
  for (const [, script, name = ''] of names) {
    const kind = script === undefined ? 'CATEGORIES' : 'SCRIPTS'
    const [one, other] = [members(listed[kind].get(name)), members(made[kind].get(name))]
    if (Buffer.from(one).equals(other)) continue
    const differing = one.findIndex(
      (is, point) => is !== other[point] && !unknown.some((list) => list[point]),
    )
    expect(differing, name).toBe(-1)
  }
})

test('another build of the package is refused with what to do', () => {
  expect(() => withPlatformTables('export class RE2JS {}')).toThrow(
    /does not fit the installed version of re2js/,
  )
})
