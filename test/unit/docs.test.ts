// Promise: the documents are true where a machine can tell. Links lead somewhere, named files and commands exist, and
// routes, codes, events, limits and dependencies are those of the code.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'
import * as z from 'zod'

import { problemOf } from '../../src/api/problems/problem.ts'
import * as most from '../../src/api/fields/limits.ts'
import * as limits from '../../src/limits/runs.ts'
import { CHECKS, SettingsPatchSchema } from '../../src/settings/settings.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
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

/** The anchor that a heading gets. */
function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** Cells of the rows of every table below a heading, as text. */
function rowsUnder(path: string, heading: string): string[][] {
  const [, section = ''] = read(path).split(new RegExp(`^##+ ${heading}$`, 'm'))
  const end = section.search(/^## /m)
  return (end === -1 ? section : section.slice(0, end))
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells[0]?.startsWith('`'))
}
const bare = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '')

/** Everything of a kind that the documents name, each with its document. */
function named(
  pattern: RegExp,
  textOf = (doc: string): string => withoutBlocks(read(doc)),
): [string, string][] {
  return DOCS.flatMap((doc) =>
    [...textOf(doc).matchAll(pattern)].map((match): [string, string] => [doc, match[1] ?? '']),
  )
}

test('every link leads to a file and a heading that are there', () => {
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

test('every file and folder that is named is there', () => {
  const paths = named(/`((?:src|scripts|test|docs|skills)\/[\w./-]*|[\w.-]+\.(?:toml|config\.ts))`/g)
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([])
})

test.each([
  ['architecture', 2_000],
  ['files', 700],
])('the page %s has at most %i words', (page, words) => {
  expect(read(`docs/${page}.md`).trim().split(/\s+/).length).toBeLessThanOrEqual(words)
})

test('every npm script that is named is there', () => {
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

test('the API page lists every route with its role, and no other', async () => {
  // By a computed name: the door's types are those of workerd, which this project of types does not have.
  const api: unknown = await import(new URL('../../src/api/app.ts', import.meta.url).href)
  const Api = z.object({
    ROUTES: z.array(z.object({ method: z.string(), path: z.string(), role: z.string().nullable() })),
  })
  const real = Api.parse(api).ROUTES.map(({ method, path, role }) => `${method} ${path} ${role ?? 'none'}`)
  const reported = rowsUnder('docs/api.md', 'Routes').map(
    ([method, path, role]) => `${bare(method)} ${bare(path)} ${role ?? ''}`,
  )
  expect(reported.toSorted()).toEqual(real.toSorted())
})

test('the API page gives every code its status', () => {
  const codes = [...read('src/lib/result.ts').matchAll(/^ {2}\| '(\w+)'$/gm)].map((match) => match[1] ?? '')
  const reported = rowsUnder('docs/api.md', 'Problems').map(
    ([code, status]) => `${bare(code)} ${status ?? ''}`,
  )
  // The names come from the type itself, read as text.
  const real = codes.map(
    (code) => `${code} ${problemOf({ code: code as 'internal', detail: '' }, '').status}`,
  )
  expect(real.length).toBeGreaterThan(10)
  expect(reported.toSorted()).toEqual(real.toSorted())
})

test('the API page names every event', () => {
  const [, body = ''] = read('src/agent/events.ts').split('export type EventBody =')
  const types = [...body.matchAll(/readonly type:((?:\s*\|?\s*'[\w.]+')+)/g)].flatMap((match) =>
    [...(match[1] ?? '').matchAll(/'([\w.]+)'/g)].map((name) => name[1] ?? ''),
  )
  const reported = rowsUnder('docs/api.md', 'Events').map(([type]) => bare(type))
  expect(types.length).toBeGreaterThan(15)
  expect(reported.toSorted()).toEqual(types.toSorted())
})

test('the API page shows and explains every field of a skill', () => {
  const [, body = ''] = read('src/skills/view/skill-info.ts').split('export interface SkillInfo {')
  const fields = [...body.slice(0, body.indexOf('\n}')).matchAll(/^ {2}readonly (\w+):/gm)].map(
    (field) => field[1] ?? '',
  )
  const Published = z.object({ skill: z.record(z.string(), z.unknown()), created: z.literal(true) })
  const examples = [...read('docs/api.md').matchAll(/^```json\n([\s\S]*?)^```$/gm)].flatMap((block) => {
    const parsed = Published.safeParse(JSON.parse(block[1] ?? ''))
    return parsed.success ? [Object.keys(parsed.data.skill)] : []
  })
  const reported = rowsUnder('docs/api.md', 'Skills').map(([names]) => bare(names).split(', '))
  expect(fields.length).toBeGreaterThan(15)
  expect(examples).toEqual([fields])
  expect(reported.flat()).toEqual(expect.arrayContaining(fields))
})

test('the API page names every action of the history', () => {
  const [, actions = ''] = /export type Action =([\s\S]*?)\n\n/.exec(read('src/skills/catalog/api.ts')) ?? []
  const [, reported = ''] = /`action` is one of([\s\S]*?);/.exec(read('docs/api.md')) ?? []
  const real = [...actions.matchAll(/'(\w+)'/g)].map((name) => name[1] ?? '')
  expect(real.length).toBeGreaterThan(5)
  expect([...reported.matchAll(/`(\w+)`/g)].map((name) => name[1] ?? '')).toEqual(real)
})

test('the operations page explains every line of the log', () => {
  const lines = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = read(`src/${file}`)
      // Other things have a place called `at`, too: only files that write to the log count.
      return text.includes('console.') ? [...text.matchAll(/\b(at|event): '([\w.]+)'/g)] : []
    })
    .map(([, key = '', name = '']) => `"${key}":"${name}"`)
  const reported = rowsUnder('docs/operations.md', 'Health and logs')
    .map(([line]) => bare(line))
    .filter((line) => line.startsWith('"'))
  expect(lines.length).toBeGreaterThan(10)
  expect(reported.toSorted()).toEqual([...new Set(lines)].toSorted())
})

test.each(['operations', 'files'])(
  'the numbers of the %s page are the ones that are enforced',
  async (page) => {
    const files = ['src', 'scripts'].flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(^|\/)limits(\.ts$|\/)/.test(file))
        .map((file) => join(ROOT, top, file)),
    )
    // Each exports numbers by name.
    const all = (await Promise.all(files.map((file) => import(file)))) as readonly Record<string, unknown>[]
    const known = new Map(all.flatMap((exported) => Object.entries(exported)))
    const rows = rowsUnder(`docs/${page}.md`, 'Limits')
    expect(rows.length).toBeGreaterThan(5)
    for (const [name, value] of rows)
      expect([name, Number((value ?? '').replaceAll(',', ''))]).toEqual([name, known.get(bare(name))])
  },
)

test('the budgets of the API page are the ones that are enforced', () => {
  const number = (cell: string | undefined): number => Number((cell ?? '').replaceAll(',', ''))
  const reported = rowsUnder('docs/api.md', 'Chat')
    .filter((cells) => cells.length === 3)
    .map(([name, most, budgetLimit]) => [bare(name), number(most), number(budgetLimit)])
  expect(reported).toEqual([
    ['tokens', limits.RUN_TOKENS, most.RUN_TOKENS_MAX],
    ['usd', limits.RUN_USD, most.RUN_USD_MAX],
    ['steps', limits.RUN_STEPS, most.RUN_STEPS_MAX],
    ['tool_calls', limits.RUN_TOOL_CALLS, most.RUN_TOOL_CALLS_MAX],
    ['wall_s', limits.RUN_WALL_S, most.RUN_WALL_S_MAX],
  ])
})

test('the settings of the API page are the ones that are taken, with their bounds', () => {
  const rows = rowsUnder('docs/api.md', 'Settings').map(([name, , from, to]) => {
    const [section = '', field = ''] = bare(name).split('.')
    const [least, most] = [from, to].map((cell) => Number((cell ?? '').replaceAll(',', '')))
    return { section, field, least: least ?? Number.NaN, most: most ?? Number.NaN }
  })
  // A list, where the bounds are those of its length.
  const valueOf = (field: string, value: number): unknown =>
    field.endsWith('_hosts') || field === 'allow' || field === 'deny'
      ? value < 0
        ? 'none'
        : Array<string>(value).fill('example.com')
      : value
  const takes = (section: string, field: string, value: number): boolean =>
    SettingsPatchSchema.safeParse({ [section]: { [field]: valueOf(field, value) } }).success
  // What has words for values has no bounds.
  for (const { section, field, least, most } of rows.filter((row) => row.most > 0))
    expect([field, ...[least - 1, least, most, most + 1].map((one) => takes(section, field, one))]).toEqual([
      field,
      false,
      true,
      true,
      false,
    ])
  const names = Object.entries(CHECKS).flatMap(([section, checks]) =>
    Object.keys(checks).map((field) => `${section}.${field}`),
  )
  expect(rows.map(({ section, field }) => `${section}.${field}`)).toEqual(names)
})

test('the page of dependencies has each package with the licence it declares', () => {
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
    // What the shell itself prints into a pipe is no command line.
    .filter((line) => /--key[ =]|Authorization: Bearer (?!\{\{)/.test(line) && !line.includes("printf '"))
  expect(shown).toEqual([])
})
