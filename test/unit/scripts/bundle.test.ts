// Promise: npm start bundles what a deploy would: text, data and wasm stay modules of their own.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { bundleWorker } from '../../../scripts/start/bundle.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-bundle-'))
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'package.json'), '{}')
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(root, 'node_modules'))
})
afterEach(() => rmSync(root, { recursive: true }))

function source(name: string, text: string | Uint8Array): void {
  writeFileSync(join(root, 'src', name), text)
}

test('TypeScript is bundled into one module, and what is no script stays apart', async () => {
  source(
    'index.ts',
    `import page from './page.html'\nimport { answer } from './answer.ts'\nimport wasm from './a.wasm'
    import { DurableObject } from 'cloudflare:workers'
    export class Thread extends DurableObject {}\nexport default { page, answer, wasm }`,
  )
  source('answer.ts', 'export const answer: number = 42')
  source('page.html', '<p>hi</p>')
  source('a.wasm', new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
  const [main, ...apart] = await bundleWorker(root, 'src/index.ts')
  expect(main).toMatchObject({ type: 'ESModule', path: 'index.js' })
  expect(main?.contents).toContain('42')
  expect(main?.contents).toContain('from "cloudflare:workers"')
  expect(apart.map(({ type, contents }) => [type, typeof contents])).toEqual([
    ['Text', 'string'],
    ['CompiledWasm', 'object'],
  ])
  for (const module of apart) expect(main?.contents).toContain(`"./${module.path}"`)
})

test('a mistake names its file and line', async () => {
  source('index.ts', '\nexport default {')
  await expect(bundleWorker(root, 'src/index.ts')).rejects.toThrow(/src\/index\.ts:2:16/)
})
