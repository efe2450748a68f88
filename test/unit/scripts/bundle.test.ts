// Promise: npm start bundles what a deploy would.

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
