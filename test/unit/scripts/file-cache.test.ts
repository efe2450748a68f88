// Guards the build cache: a cached build equals a new one, or it is built again.

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { cachedText } from '../../../scripts/lib/file-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'satchel-kept-'))
const copied = `${root}-copy`
afterAll(() => {
  for (const folder of [root, copied]) rmSync(folder, { recursive: true, force: true })
})

/** Writes a file that was last changed `seconds` ago. */
function put(name: string, text: string, seconds: number): void {
  writeFileSync(join(root, name), text)
  const then = Date.now() / 1_000 - seconds
  utimesSync(join(root, name), then, then)
}

let made = 0
const make = async (meanwhile = (): void => {}): Promise<{ value: string; inputs: string[] }> => {
  meanwhile()
  return { value: `made ${++made}`, inputs: ['a', 'gone'] }
}

test('builds once, and again if a file changed, was added, or changed during the build', async () => {
  put('a', 'one', 60)
  expect([await cachedText(root, 'x', make), await cachedText(root, 'x', make)]).toEqual(['made 1', 'made 1'])
  expect(await cachedText(root, 'y', make)).toBe('made 2')
  put('a', 'two', 50)
  expect(await cachedText(root, 'x', make)).toBe('made 3')
  put('gone', 'here', 40)
  expect(await cachedText(root, 'x', make)).toBe('made 4')
  put('a', 'three', 30)
  expect(await cachedText(root, 'x', async () => make(() => put('a', 'four', -60)))).toBe('made 5')
  expect(await cachedText(root, 'x', make)).toBe('made 6')
})

test('ignores a copy of the project and damaged entries', async () => {
  put('a', 'five', 20)
  const last = await cachedText(root, 'x', make)
  mkdirSync(copied)
  cpSync(root, copied, { recursive: true, preserveTimestamps: true })
  expect(await cachedText(copied, 'x', make)).not.toBe(last)
  copyFileSync(join(root, 'a'), join(root, 'dist/kept/x.json'))
  expect(await cachedText(root, 'x', make)).not.toBe(last)
})

test('passes a failure on, and does not cache it', async () => {
  const failing = cachedText(root, 'z', async () => Promise.reject(new Error('no wrangler.toml')))
  await expect(failing).rejects.toThrow('no wrangler.toml')
  expect(await cachedText(root, 'z', make)).toMatch(/^made/)
})
