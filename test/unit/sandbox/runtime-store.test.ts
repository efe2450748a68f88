// Guards the stored runtimes: files are named by their content, a runtime is built again only when its inputs changed,
// and nothing of an older one stays.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { current, digestOf, RUNTIMES, store } from '../../../scripts/runtimes/store.ts'

import type { RuntimeModule } from '../../../scripts/runtimes/store.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-runtimes-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const parts = (text: string): Record<string, RuntimeModule> => ({
  'a.js': { type: 'js', bytes: new TextEncoder().encode(text) },
  'b.bin': { type: 'data', bytes: new Uint8Array([1, 2]) },
})
const files = (): readonly string[] => readdirSync(join(root, RUNTIMES)).toSorted()

test('a stored runtime is found again by the same inputs only', () => {
  const manifest = store(root, 'demo', 'in-1', 'a.js', parts('one'))
  expect(current(root, 'demo', 'in-1')).toEqual(manifest)
  expect(current(root, 'demo', 'in-2')).toBeNull()
  expect(current(root, 'other', 'in-1')).toBeNull()
  expect(manifest.modules['a.js']).toMatchObject({ type: 'js', bytes: 3 })
  expect(manifest.main).toBe('a.js')
})

test('a file is named by its bytes, and a changed one replaces only the old one', () => {
  const one = store(root, 'demo', 'in-1', 'a.js', parts('one'))
  store(root, 'demo-2', 'in-1', 'a.js', parts('other'))
  const two = store(root, 'demo', 'in-2', 'a.js', parts('two'))
  const [old, now] = [one.modules['a.js']?.file ?? '', two.modules['a.js']?.file ?? '']
  expect(now).toMatch(/^demo-a-[\da-f]{16}\.js$/)
  expect(two.modules['b.bin']?.file).toBe(one.modules['b.bin']?.file)
  expect(files()).toContain(now)
  expect(files()).not.toContain(old)
  expect(readFileSync(join(root, RUNTIMES, now), 'utf8')).toBe('two')
  expect(current(root, 'demo-2', 'in-1')).not.toBeNull()
})

test('a runtime with a missing file is not found', () => {
  const { modules } = store(root, 'demo', 'in-1', 'a.js', parts('one'))
  rmSync(join(root, RUNTIMES, modules['b.bin']?.file ?? ''))
  expect(current(root, 'demo', 'in-1')).toBeNull()
})

test('an invalid asset is refused', () => {
  const large = { 'a.js': { type: 'js', bytes: new Uint8Array(26_214_401) } } as const
  expect(() => store(root, 'demo', 'in-1', 'a.js', large)).toThrow(/an asset has 26214400 at most/)
})

test('inputs are distinguished by name, bytes and order', () => {
  const digests = [
    digestOf([['a', 'x']]),
    digestOf([['a', 'y']]),
    digestOf([['b', 'x']]),
    digestOf([
      ['a', 'x'],
      ['b', 'x'],
    ]),
    digestOf([
      ['b', 'x'],
      ['a', 'x'],
    ]),
  ]
  expect(new Set(digests).size).toBe(5)
})
