// Guards the static files: the page is served as it is stored, runtimes are named by their digest, and nothing is built
// twice.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

import { buildAssets } from '../../../../scripts/assets/build.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const OUT = join(ROOT, 'dist/assets')

it('has the page, with each file named by its bytes and those needed first in index.html', async () => {
  await buildAssets(ROOT)
  expect(readdirSync(OUT).toSorted()).toEqual([
    '_headers',
    'icon.svg',
    'index.html',
    'page',
    'preview.html',
    'runtimes',
  ])
  const built = readdirSync(join(OUT, 'page'))
  const named = [...readFileSync(join(OUT, 'index.html'), 'utf8').matchAll(/"\/page\/([^"]+)"/g)]
  expect(named.map(([, file = '']) => file.replace(/-[A-Z0-9]{8}/, ''))).toEqual([
    'inter-latin-wght-normal.woff2',
    'main.css',
    'main.js',
  ])
  for (const [, file] of named) expect(built).toContain(file)
})

it('allows one script in the document for HTML files, by its hash, and no network', () => {
  const [, script = ''] =
    /<script>([^]*?)<\/script>/.exec(readFileSync(join(OUT, 'preview.html'), 'utf8')) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  const headers = readFileSync(join(OUT, '_headers'), 'utf8')
  const policy = /^\/preview\n(?: {2}! .*\n)+ {2}Content-Security-Policy: (.*)$/m.exec(headers)?.[1]
  expect(script.length).toBeGreaterThan(10_000)
  expect(policy?.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    'font-src data:',
    "form-action 'none'",
    "frame-ancestors 'self'",
    'img-src data:',
    'media-src data:',
    'sandbox allow-scripts',
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
  ])
})

it('names each runtime by its bytes, and rebuilds none that exists', async () => {
  const manifest: Record<string, string> = JSON.parse(
    readFileSync(join(OUT, 'runtimes/manifest.json'), 'utf8'),
  ) as Record<string, string> // written by the build
  const files = Object.values(manifest).map((path) => join(OUT, path))
  for (const file of files) {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
    expect(file).toContain(`-${digest.slice(0, 16)}.js`)
  }
  const before = files.map((file) => statSync(file).mtimeMs)
  await buildAssets(ROOT)
  expect(files.map((file) => statSync(file).mtimeMs)).toEqual(before)
  expect(readdirSync(join(OUT, 'runtimes'))).toHaveLength(files.length + 3)
})

it.each(['{"page": {"inputs": {}}, "pdf": ["x"]}', '{'])(
  'rebuilds everything where the last build left %s',
  async (text) => {
    const stamp = join(ROOT, 'dist/assets-stamp.json')
    const before = readFileSync(stamp, 'utf8')
    writeFileSync(stamp, text)
    await buildAssets(ROOT)
    expect(JSON.parse(readFileSync(stamp, 'utf8'))).toEqual(JSON.parse(before))
  },
)

it('contains no code that evaluates text', async () => {
  for (const file of readdirSync(join(OUT, 'runtimes')).filter((name) => name !== 'sandbox'))
    expect(readFileSync(join(OUT, 'runtimes', file), 'utf8')).not.toMatch(/new Function\(|\beval\(/)
})
