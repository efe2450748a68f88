// Promise: the documents are correct as far as a machine can check: links lead to headings, named files and commands
// exist, and limits, log lines, dependencies and figures agree with the code. For the HTTP API see docs-api.test.ts.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { expect, test } from 'vitest'
import * as z from 'zod'

import { bare, readPage, REPOSITORY, rowsUnder } from './doc-pages.ts'

const ROOT = REPOSITORY
const read = readPage
const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]
const Manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
})
const manifest = Manifest.parse(JSON.parse(read('package.json')))

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '')

/** The anchor of a heading. */
function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** All names of a kind in the documents, each with its document. */
function named(
  pattern: RegExp,
  textOf = (doc: string): string => withoutBlocks(read(doc)),
): [string, string][] {
  return DOCS.flatMap((doc) =>
    [...textOf(doc).matchAll(pattern)].map((match): [string, string] => [doc, match[1] ?? '']),
  )
}

test('every link leads to an existing file and heading', () => {
  const links = named(/\]\(([^)\s]+)\)/g).filter(([, link]) => !/^https?:/.test(link))
  const dead = links.filter(([doc, link]) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? join(ROOT, doc) : join(ROOT, dirname(doc), file)
    if (!existsSync(target)) return true
    if (anchor === undefined || !statSync(target).isFile()) return false
    const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)]
    return !headings.some((heading) => slug(heading[1] ?? '') === anchor)
  })
  expect(links.length).toBeGreaterThan(40)
  expect(dead).toEqual([])
})

test('every named file and folder exists', () => {
  const paths = named(/`((?:src|scripts|test|docs|skills)\/[\w./-]*|[\w.-]+\.(?:toml|config\.ts))`/g)
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('every named npm script exists', () => {
  const scripts = named(/npm run ([a-z][\w:-]*)/g, read)
  expect(scripts.length).toBeGreaterThan(10)
  expect(scripts.filter(([, name]) => !(name in manifest.scripts))).toEqual([])
})

test('every row of a table has as many cells as its head', () => {
  const torn = DOCS.flatMap((doc) => {
    const cells = read(doc)
      .split('\n')
      .map((line) => (line.startsWith('|') ? line.split('|').length : 0))
    return cells.flatMap((count, at) => {
      const above = cells[at - 1] ?? 0
      return count > 0 && above > 0 && count !== above ? [`${doc}:${at + 1}`] : []
    })
  })
  expect(torn).toEqual([])
})

test('the operations page explains every line of the log', () => {
  const lines = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = read(`src/${file}`)
      // `at` occurs elsewhere, too, so only files that write to the log count.
      return text.includes('console.') ? [...text.matchAll(/\b(at|event): '([\w.]+)'/g)] : []
    })
    .map(([, key = '', name = '']) => `"${key}":"${name}"`)
  const reported = rowsUnder('docs/operations.md', 'Health and logs')
    .map(([line]) => bare(line))
    .filter((line) => line.startsWith('"'))
  expect(lines.length).toBeGreaterThan(10)
  expect(reported.toSorted()).toEqual([...new Set(lines)].toSorted())
})

test.each(['operations', 'files'])('the numbers of the %s page are the enforced ones', async (page) => {
  const files = ['src', 'scripts'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)limits(\.ts$|\/)/.test(file))
      .map((file) => join(ROOT, top, file)),
  )
  // The cast is safe: each file exports numbers by name.
  const all = (await Promise.all(files.map((file) => import(file)))) as readonly Record<string, unknown>[]
  const known = new Map(all.flatMap((exported) => Object.entries(exported)))
  const rows = rowsUnder(`docs/${page}.md`, 'Limits')
  expect(rows.length).toBeGreaterThan(5)
  for (const [name, value] of rows)
    expect([name, Number((value ?? '').replaceAll(',', ''))]).toEqual([name, known.get(bare(name))])
})

test('the page of dependencies has each package with its declared licence', () => {
  const rows = [
    'In the Worker',
    'In isolates of their own',
    'In the clients',
    'In the page',
    'For building, running locally and testing',
  ]
    .flatMap((heading) => rowsUnder('docs/dependencies.md', heading))
    .flatMap(([names, licence]) =>
      [...(names ?? '').matchAll(/`([^`]+)`/g)].map((name) => [name[1] ?? '', licence ?? ''] as const),
    )
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
  expect(rows.map(([name]) => name).toSorted()).toEqual(names.toSorted())
  const Package = z.object({ license: z.string() })
  for (const [name, licence] of rows)
    expect([name, Package.parse(JSON.parse(read(`node_modules/${name}/package.json`))).license]).toEqual([
      name,
      licence,
    ])
})

test('decisions are numbered without gaps and all listed', () => {
  const files = readdirSync(join(ROOT, 'docs/decisions')).filter((file) => /^\d{4}-/.test(file))
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, at) => at + 1))
  const index = read('docs/decisions/README.md')
  expect(files.filter((file) => !index.includes(`](${relative('.', file)})`))).toEqual([])
  for (const file of files)
    for (const part of ['Context', 'Decision', 'Consequences', 'Alternatives'])
      expect(read(`docs/decisions/${file}`)).toContain(`**${part}.** `)
})

test.each(DOCS)('%s puts no key on a command line', (path) => {
  const blocks = read(path).match(/^```(?:sh|bash)$[\s\S]*?^```$/gm) ?? []
  const shown = blocks
    .flatMap((block) => block.split('\n'))
    // Text that the shell itself prints into a pipe is not on a command line.
    .filter((line) => /--key[ =]|Authorization: Bearer (?!\{\{)/.test(line) && !line.includes("printf '"))
  expect(shown).toEqual([])
})

test('each figure of the README is the measured one', () => {
  const readme = read('README.md')
  const claims = [...readme.matchAll(/<!-- figure: (.+?) -->\[([^\]]+)\]\(docs\/benchmarks\.md#([\w-]+)\)/g)]
  for (const [, rows = '', claim = '', section = ''] of claims) {
    const unit = /[^\d\s]+$/.exec(claim)?.[0] ?? ''
    const [, table = ''] = read('docs/benchmarks.md').split(new RegExp(`^### ${section}$`, 'm'))
    const measured = table
      .slice(0, table.search(/^##/m))
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, name = '', figure = '']) => name.includes(rows) && figure.split(' ')[1] === unit)
      .map(([, , figure = '']) => Math.round(Number(figure.split(' ')[0])))
    const [first, last = first] = [...claim.matchAll(/\d+/g)].map(Number)
    // One number is the largest of the rows; two are the smallest and the largest.
    if (first !== last) expect([claim, Math.min(...measured)]).toEqual([claim, first])
    expect([claim, Math.max(...measured)]).toEqual([claim, last])
  }
  expect(claims.length).toBeGreaterThan(1)
  // A figure without its own row is refused, in whatever form it is written.
  const rest = claims.reduce((text, [claim]) => text.replace(claim, ''), readme)
  expect(rest.match(/\d ?(?:ms|MB|×)/g)).toBeNull()
})

test.each([
  ['README', 1_000],
  ['docs/README', 300],
  ['docs/promises', 300],
  ['docs/architecture', 2_000],
  ['docs/files', 700],
  ['docs/design', 770],
  ['docs/operations', 4_000],
  ['docs/benchmarks', 3_300],
])('the page %s has at most %i words', (page, words) => {
  expect(read(`${page}.md`).trim().split(/\s+/).length).toBeLessThanOrEqual(words)
})

// Decisions record the past; readers do not need them. 36,000 words suffice for the agent, its skills, its
// scripts and its page; long threads and webhooks with replies and schedules may add 2,000 each,
// recipes to copy and MCP servers 1,000 each; usage and keys 700, waits for servers 500,
// metrics and runbooks 500, the audit 250, data of users 550, measurements 250.
test('the documentation has at most 48,150 words', () => {
  const pages = DOCS.filter((page) => /^docs\/(?!decisions\/)/.test(page))
  const words = pages.map((page) => read(page).trim().split(/\s+/).length)
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(48_150)
})

test('the glossary has at most 15 words', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)]
  expect(words.length).toBeGreaterThan(5)
  expect(words.length).toBeLessThanOrEqual(15)
})

test('the first page of the documentation links every page for readers', () => {
  const links = new Set(
    [...read('docs/README.md').matchAll(/\]\(([\w/-]+\.md)/g)].map(([, link = '']) => link),
  )
  const pages = DOCS.filter((page) => /^docs\/(?:api\/)?[\w-]+\.md$/.test(page) && page !== 'docs/README.md')
  expect(pages.filter((page) => !links.has(page.slice('docs/'.length)))).toEqual([])
})
