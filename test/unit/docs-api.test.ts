// Promise: the pages of the HTTP API agree with the code as far as a machine can check: routes, codes, events, budgets
// and settings are those of the code, and each example has the fields that the code returns.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import * as z from 'zod'

import { problemOf } from '../../src/api/problems/problem.ts'
import * as most from '../../src/api/fields/limits.ts'
import * as caps from '../../src/limits/caps.ts'
import * as limits from '../../src/limits/runs.ts'
import { CHECKS, SettingsPatchSchema } from '../../src/settings/settings.ts'
import { bare, readPage, REPOSITORY, rowsUnder } from './doc-pages.ts'

/** Where the code declares an answer, and how the documented answer differs from that. */
interface Shape {
  /** The file and name of each interface. */
  readonly from: readonly (readonly [file: string, name: string])[]
  readonly plus?: readonly string[]
  readonly minus?: readonly string[]
}

const USAGE: Shape = {
  from: [
    ['src/agent/message.ts', 'Tokens'],
    ['src/agent/message.ts', 'Usage'],
  ],
}
const CHARGED: Shape = { from: [['src/agent/events.ts', 'Charged']] }
const RECEIPT: Shape = { from: [['src/agent/events.ts', 'Receipt']] }
const MESSAGE: Shape = {
  from: [
    ['src/agent/message.ts', 'ApiMessage'],
    ['src/agent/message.ts', 'Message'],
  ],
}
const HOOK: Shape = {
  from: [
    ['src/webhooks/api.ts', 'HookConfig'],
    ['src/unattended/options.ts', 'RunOptions'],
  ],
}
const SHAPES: Readonly<Record<string, Shape>> = {
  ChatReply: { from: [['src/thread/api.ts', 'ChatReply']] },
  Accepted: { from: [], plus: ['thread_id', 'run_id', 'url'] },
  ThreadInfo: { from: [['src/thread/api.ts', 'ThreadInfo']] },
  Message: MESSAGE,
  FileInfo: { from: [['src/thread/api.ts', 'FileInfo']] },
  SkillInfo: { from: [['src/skills/view/skill-info.ts', 'SkillInfo']] },
  SkillChange: { from: [['src/skills/catalog/api.ts', 'SkillChange']], plus: ['files'] },
  ToolInfo: {
    from: [
      ['src/api/tools/info.ts', 'CallableTool'],
      ['src/api/tools/info.ts', 'ToolInfo'],
    ],
    minus: ['label', 'origin'],
  },
  KeyCreated: { from: [['src/workspace/key-api.ts', 'KeyInfo']], plus: ['key', 'warning'] },
  McpOfferInfo: { from: [['src/api/tools/server-offer.ts', 'McpOfferInfo']] },
  UsageReport: {
    from: [
      ['src/workspace/run-api.ts', 'UsageSums'],
      ['src/workspace/run-api.ts', 'UsageReport'],
    ],
  },
  RunInfo: { from: [['src/workspace/run-api.ts', 'RunInfo']] },
  AuditEntry: {
    from: [
      ['src/workspace/audit-api.ts', 'NewAction'],
      ['src/workspace/audit-api.ts', 'ActionOutcome'],
      ['src/workspace/audit-api.ts', 'AuditEntry'],
    ],
  },
  StoredSettings: { from: [['src/settings/settings.ts', 'StoredSettings']], plus: ['settings', 'defaults'] },
  StoredLimits: { from: [['src/workspace/cap-api.ts', 'StoredLimits']] },
  SecretInfo: {
    from: [
      ['src/secrets/stored.ts', 'SealedSecret'],
      ['src/workspace/api.ts', 'StoredSecret'],
    ],
    plus: ['key'],
    minus: ['sealed'],
  },
  HookCreated: { ...HOOK, plus: ['url', 'previous_secret_until', 'secret_readable'] },
  Delivered: { from: [['src/webhooks/api.ts', 'AcceptedDelivery']], minus: ['created'] },
  DeliveryInfo: { from: [['src/webhooks/api.ts', 'DeliveryInfo']] },
  Problem: { from: [['src/agent/events.ts', 'Problem']] },
}
/** Fields whose values have their own shape in every answer. */
const NESTED: Readonly<Record<string, Shape>> = {
  usage: USAGE,
  charged: CHARGED,
  receipt: RECEIPT,
  message: MESSAGE,
}

const Fields = z.record(z.string(), z.unknown())
const PAGES = ['docs/api.md', ...readdirSync(join(REPOSITORY, 'docs/api')).map((file) => `docs/api/${file}`)]

/** The required and the optional fields of an answer. */
function fieldsOf({ from, plus = [], minus = [] }: Shape): { always: string[]; optional: string[] } {
  const declared = from
    .flatMap(([file, name]) => {
      const [, body] = readPage(file).split(new RegExp(`^(?:export )?interface ${name} [^{]*\\{`, 'm'))
      if (body === undefined) throw new Error(`${file} has no interface ${name}`)
      return [...body.slice(0, body.indexOf('\n}')).matchAll(/^ {2}readonly (\w+)(\??):/gm)]
    })
    .filter(([, field = '']) => !minus.includes(field))
  const named = (mark: string): string[] =>
    declared.filter((field) => field[2] === mark).map((field) => field[1] ?? '')
  return { always: [...named(''), ...plus], optional: named('?') }
}

/** How an answer's fields, including nested ones, differ from its shape. */
function faultsOf(value: unknown, shape: Shape): string[] {
  const object = Fields.parse(value)
  const { always, optional } = fieldsOf(shape)
  const keys = Object.keys(object)
  return [
    ...always.filter((field) => !keys.includes(field)).map((field) => `lacks ${field}`),
    ...keys.filter((key) => ![...always, ...optional].includes(key)).map((key) => `has ${key}`),
    ...keys.flatMap((key) => {
      const nested = NESTED[key]
      return nested && z.looseObject({}).safeParse(object[key]).success ? faultsOf(object[key], nested) : []
    }),
  ]
}

test('every example of an answer has the fields that the code returns', () => {
  const blocks = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/^<!-- shape: (?:(\w+) )?(\w+) -->\n```json\n([\s\S]*?)^```$/gm)].map(
      ([, below, name = '', text = '']) => ({ page, below, name, text }),
    ),
  )
  const faults = blocks.map(({ page, below, name, text }) => {
    const shape = SHAPES[name]
    if (!shape) return [`${page}: no shape ${name}`]
    const whole = Fields.parse(JSON.parse(text))
    const part = below === undefined ? whole : whole[below]
    const found = faultsOf(Array.isArray(part) ? part[0] : part, shape)
    return found.map((fault) => `${page}: ${name} ${fault}`)
  })
  expect(faults.flat()).toEqual([])
  expect(blocks.map(({ name }) => name).toSorted()).toEqual(Object.keys(SHAPES).toSorted())
})

test('every block of JSON on these pages can be parsed', () => {
  const blocks = PAGES.flatMap((page) => [...readPage(page).matchAll(/^```json\n([\s\S]*?)^```$/gm)])
  expect(blocks.length).toBeGreaterThan(15)
  for (const [, text = ''] of blocks) expect(() => JSON.parse(text) as unknown).not.toThrow()
})

test('the API reference lists every route with its role, and no other', async () => {
  // Imported by a computed name, because the API has the types of workerd, which this TypeScript project lacks.
  const api: unknown = await import(new URL('../../src/api/app.ts', import.meta.url).href)
  const Api = z.object({
    ROUTES: z.array(z.object({ method: z.string(), path: z.string(), role: z.string().nullable() })),
  })
  const real = Api.parse(api).ROUTES.map(({ method, path, role }) => `${method} ${path} ${role ?? 'none'}`)
  const reported = rowsUnder('docs/api/routes.md', 'Routes').map(
    ([method, path, role]) => `${bare(method)} ${bare(path)} ${role ?? ''}`,
  )
  expect(reported.toSorted()).toEqual(real.toSorted())
})

test('the API reference gives every code its status', () => {
  const codes = [...readPage('src/lib/result.ts').matchAll(/^ {2}\| '(\w+)'$/gm)].map(
    (match) => match[1] ?? '',
  )
  const reported = rowsUnder('docs/api/errors.md', 'Codes').map(
    ([code, status]) => `${bare(code)} ${status ?? ''}`,
  )
  // The names are read from the source text of the type.
  const real = codes.map(
    (code) => `${code} ${problemOf({ code: code as 'internal', detail: '' }, '').status}`,
  )
  expect(real.length).toBeGreaterThan(10)
  expect(reported.toSorted()).toEqual(real.toSorted())
})

test('the API reference names every event', () => {
  const [, body = ''] = readPage('src/agent/events.ts').split('export type EventBody =')
  const types = [...body.matchAll(/readonly type:((?:\s*\|?\s*'[\w.]+')+)/g)].flatMap((match) =>
    [...(match[1] ?? '').matchAll(/'([\w.]+)'/g)].map((name) => name[1] ?? ''),
  )
  const reported = rowsUnder('docs/api/events.md', 'Events').map(([type]) => bare(type))
  expect(types.length).toBeGreaterThan(15)
  expect(reported.toSorted()).toEqual(types.toSorted())
})

test('the API reference explains every field of a skill', () => {
  const fields = fieldsOf(SHAPES['SkillInfo'] ?? { from: [] }).always
  const reported = rowsUnder('docs/api/skills.md', 'Fields').flatMap(([names]) => bare(names).split(', '))
  expect(fields.length).toBeGreaterThan(15)
  expect(reported.toSorted()).toEqual(fields.toSorted())
})

test('the API reference names every action of the history', () => {
  const [, actions = ''] =
    /export type Action =([\s\S]*?)\n\n/.exec(readPage('src/skills/catalog/api.ts')) ?? []
  const [, reported = ''] = /`action` is one of([\s\S]*?);/.exec(readPage('docs/api/skills.md')) ?? []
  const real = [...actions.matchAll(/'(\w+)'/g)].map((name) => name[1] ?? '')
  expect(real.length).toBeGreaterThan(5)
  expect([...reported.matchAll(/`(\w+)`/g)].map((name) => name[1] ?? '')).toEqual(real)
})

test('the budgets of the API reference are the ones that are enforced', () => {
  const number = (cell: string | undefined): number => Number((cell ?? '').replaceAll(',', ''))
  const reported = rowsUnder('docs/api/chat.md', 'Budget').map(([name, , standard, most]) => [
    bare(name),
    number(standard),
    number(most),
  ])
  expect(reported).toEqual([
    ['tokens', limits.RUN_TOKENS_DEFAULT, most.RUN_TOKENS_MAX],
    ['usd', limits.RUN_USD_DEFAULT, most.RUN_USD_MAX],
    ['steps', limits.RUN_STEPS_DEFAULT, most.RUN_STEPS_MAX],
    ['tool_calls', limits.RUN_TOOL_CALLS_DEFAULT, most.RUN_TOOL_CALLS_MAX],
    ['wall_s', limits.RUN_WALL_DEFAULT_S, most.RUN_WALL_MAX_S],
    ['recoveries', limits.RUN_RECOVERIES_DEFAULT, most.RUN_RECOVERIES_MAX],
  ])
})

test('the caps of the API reference are the accepted ones', () => {
  const rows = rowsUnder('docs/api/limits.md', 'Caps').map(([name, ...bounds]) => [
    /^`(\w+)`/.exec(name ?? '')?.[1],
    ...bounds.map((cell) => Number(cell.replaceAll(',', ''))),
  ])
  expect(rows).toEqual([
    ['usd', caps.CAP_USD_MIN, caps.CAP_USD_MAX],
    ['tokens', caps.CAP_TOKENS_MIN, caps.CAP_TOKENS_MAX],
    ['runs', caps.CAP_RUNS_MIN, caps.CAP_RUNS_MAX],
  ])
})

test('the settings of the API reference are the accepted ones, with their bounds', () => {
  const rows = rowsUnder('docs/api/settings.md', 'Settings').map(([name, , from, to]) => {
    const [section = '', field = ''] = bare(name).split('.')
    const [least, most] = [from, to].map((cell) => Number((cell ?? '').replaceAll(',', '')))
    return { section, field, least: least ?? Number.NaN, most: most ?? Number.NaN }
  })
  // For a list, the bounds are those of its length.
  const valueOf = (field: string, value: number): unknown =>
    field.endsWith('_hosts') || field === 'allow' || field === 'deny'
      ? value < 0
        ? 'none'
        : Array<string>(value).fill('example.com')
      : value
  const takes = (section: string, field: string, value: number): boolean =>
    SettingsPatchSchema.safeParse({ [section]: { [field]: valueOf(field, value) } }).success
  // Settings with words as values have no bounds.
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
