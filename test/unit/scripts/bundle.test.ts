// Promise: npm start bundles exactly what a deployment bundles.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { bundleWorker, measureStartCode, REPLACEMENTS } from '../../../scripts/workerd/bundle.ts'

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

test('TypeScript is bundled into one module; what the platform brings stays outside', async () => {
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

test('a mistake names its file and line', async () => {
  source('index.ts', '\nexport default {')
  await expect(bundleWorker(root, 'src/index.ts')).rejects.toThrow(/src\/index\.ts:2:16/)
})

test('what is imported late is not counted as evaluated at the start, but for what is imported early as well', async () => {
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

test('what replaces packages is what a deploy has', () => {
  const text = readFileSync(new URL('../../../wrangler.toml', import.meta.url), 'utf8')
  const section = /\[alias\]\n((?:".*\n)*)/.exec(text)?.[1] ?? ''
  const pairs = [...section.matchAll(/^"(.+)" = "(.+)"$/gm)].map(([, name, path]) => [name, path])
  expect(Object.fromEntries(pairs)).toEqual(REPLACEMENTS)
})

test('signatures that are checked without their own library are checked by the same words', async () => {
  const { hmac } = await import('../../../src/stand-ins/sha256.ts')
  // RFC 4231, test case 2.
  expect(Buffer.from(hmac('Jefe', 'what do ya want for nothing?')).toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})
