// Guards the search texts of a workspace: reports may be repeated, late or out of order, and none restores deleted text
// or replaces a newer title.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { UNITS_BETWEEN_PAUSES } from '../../src/lib/limits.ts'
import { startPace } from '../../src/lib/steps.ts'
import { rfc3339 } from '../../src/lib/clock.ts'
import {
  PREFIX_SEARCH_CHARS_READ_MAX,
  PREFIX_SEARCH_TEXTS_READ_MAX,
  SEARCH_MATCHES_READ_MAX,
} from '../../src/workspace/limits.ts'
import type { TextRecord, ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import { withExcerpts } from '../../src/thread-search/excerpt.ts'
import { searchThreads } from '../../src/workspace/search.ts'
import { forget, record as recorded } from '../../src/workspace/threads.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { ALL_USAGE } from './run-record.ts'

const NO_RUNS = { runs: [], ids: [] }

const START = Date.parse('2030-01-01T00:00:00Z')
const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cost_usd: null,
}

interface Report {
  readonly title?: string
  readonly made?: number
  readonly at?: number
  readonly texts?: readonly TextRecord[]
  readonly owner?: string
}

function report(
  id: string,
  { title = '', made = 0, at = made, texts = [], owner = 'user:ann' }: Report,
): ThreadRecord {
  return {
    owner,
    made_by: owner,
    texts,
    info: {
      id,
      title,
      user: null,
      status: 'idle',
      created_at: rfc3339(START + made),
      updated_at: rfc3339(START + at),
      model: 'm',
      catalog_version: 1,
      usage: NO_USAGE,
      charged: { tokens: 0, usd: 0, estimated: false },
      metadata: {},
      context_tokens: 0,
      root: id,
      forked_from: null,
      branches: [],
    },
  }
}

/**
 * What a text of two words and nine letters is counted as: its surcharge, its letters, its words with their owner, and
 * its postings.
 */
const TEXT = 1_024 + 9 + 26 + 8
/** Two short texts for a thread, and eleven for a workspace. */
const LIMITS = { max_thread_search_bytes: 2 * TEXT, max_search_bytes: 11 * TEXT }
/** Thirty texts for a workspace, and six for a key. */
const SHARED = { max_thread_search_bytes: 6 * TEXT, max_search_bytes: 30 * TEXT }
const ROOMY = { max_thread_search_bytes: 1_000_000, max_search_bytes: 10_000_000 }

function record(sql: SqlStorage, thread: ThreadRecord, run: null, now: number, limits = ROOMY): void {
  recorded(sql, thread, run, now, limits, 0)
}

async function inWorkspace(name: string, work: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACES.getByName(name) as DurableObjectStub<Workspace>
  await stub.usage(ALL_USAGE)
  await runInDurableObject(stub, (_, { storage }) => storage.transactionSync(() => work(storage.sql)))
}

function found(sql: SqlStorage, words: string, owner: string | null = 'user:ann'): readonly string[] {
  const page = searchThreads(sql, owner, words, null, 100)
  if (!page.ok) throw new Error(page.error.detail)
  return page.value.data.map(({ id }) => id)
}

it('counts a text once, however often it is reported, and in any order', () =>
  inWorkspace('search-1', (sql) => {
    const texts = [
      { position: 1, text: 'first heron' },
      { position: 2, text: 'second heron' },
    ]
    record(sql, report('t1', { title: 'New name', at: 2, texts }), null, START)
    record(sql, report('t1', { title: 'Old name', at: 1, texts: texts.slice(0, 1) }), null, START)
    record(
      sql,
      report('t1', { title: 'Old name', at: 1, texts: [{ position: 3, text: 'third heron' }] }),
      null,
      START,
    )
    record(sql, report('t1', { title: 'New name', at: 2, texts }), null, START)
    expect(sql.exec('SELECT count(*) AS n FROM texts').one()['n']).toBe(4)
    expect(sql.exec("SELECT count(*) AS n FROM words WHERE words MATCH 'heron'").one()['n']).toBe(3)
    expect([found(sql, 'new'), found(sql, 'old'), found(sql, 'third')]).toEqual([['t1'], [], ['t1']])
  }))

it('restores nothing of a deleted thread', () =>
  inWorkspace('search-2', (sql) => {
    const late = report('t1', { title: 'Heron', texts: [{ position: 1, text: 'about herons' }] })
    record(sql, late, null, START)
    expect(found(sql, 'heron')).toEqual(['t1'])
    forget(sql, 't1', NO_RUNS, START + 5, 0)
    record(sql, late, null, START + 6)
    expect(found(sql, 'heron')).toEqual([])
    expect(sql.exec('SELECT count(*) AS n FROM texts').one()['n']).toBe(0)
    // A thread created later with the same id: later reports of the first one do not apply to it.
    record(sql, report('t1', { title: 'Stork', made: 10 }), null, START + 10)
    record(
      sql,
      report('t1', { title: 'Heron', at: 20, texts: [{ position: 1, text: 'about herons' }] }),
      null,
      START + 11,
    )
    expect([found(sql, 'herons'), found(sql, 'stork')]).toEqual([[], ['t1']])
  }))

it('finds an owner’s few texts among many of others, and of too many the newest', () =>
  inWorkspace('search-3', (sql) => {
    record(sql, report('mine', { texts: [{ position: 1, text: 'a heron' }] }), null, START)
    for (let at = 0; at < SEARCH_MATCHES_READ_MAX / 100 + 1; at++) {
      const texts = Array.from({ length: 100 }, (_, position) => ({
        position: position + 1,
        text: 'heron heron',
      }))
      record(sql, report(`t${at}`, { owner: 'user:ben', at: at + 1, texts }), null, START)
    }
    expect(found(sql, 'heron')).toEqual(['mine'])
    expect(found(sql, 'heron', 'user:an')).toEqual([])
    const all = found(sql, 'heron', null)
    expect([all[0], all.length]).toEqual([`t${SEARCH_MATCHES_READ_MAX / 100}`, SEARCH_MATCHES_READ_MAX / 100])
  }))

it("limits the bytes of each thread's messages and of all, and drops the oldest; titles stay", () =>
  inWorkspace('search-4', (sql) => {
    const bytes = (): unknown => sql.exec('SELECT bytes FROM text_total').one()['bytes']
    const say = (id: string, position: number, at: number): void =>
      record(
        sql,
        {
          ...report(id, {
            title: `Title of ${id}`,
            at,
            texts: [{ position, text: `${id}bird${position} x` }],
          }),
          made_by: id,
        },
        null,
        START,
        LIMITS,
      )
    for (let position = 1; position <= 9; position++) say('t1', position, position)
    expect([found(sql, 't1bird1'), found(sql, 't1bird9'), bytes()]).toEqual([[], ['t1'], 2 * TEXT])
    for (const id of ['t2', 't3', 't4', 't5', 't6'])
      for (let position = 1; position <= 4; position++) say(id, position, 20)
    // The oldest of all are those of t1, whose title stays.
    expect([found(sql, 't1bird8'), found(sql, 'title t1'), found(sql, 't5bird4')]).toEqual([
      [],
      ['t1'],
      ['t5'],
    ])
    expect(bytes()).toBeLessThanOrEqual(LIMITS.max_search_bytes)
    const kept =
      'SELECT (SELECT sum(text_bytes) FROM threads) AS a, (SELECT sum(bytes) FROM texts WHERE position > 0) AS b'
    expect(sql.exec(kept).one()).toEqual({ a: bytes(), b: bytes() })
    // Deleted threads free their bytes, and later texts are dropped in order, whatever their numbers.
    for (const id of ['t1', 't2', 't3', 't4', 't5', 't6']) forget(sql, id, NO_RUNS, START, 0)
    expect(bytes()).toBe(0)
    for (const id of ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'])
      for (let position = 1; position <= 4; position++) say(id, position, 20)
    expect(bytes()).toBeLessThanOrEqual(LIMITS.max_search_bytes)
    expect([found(sql, 'u1bird1'), found(sql, 'u6bird4')]).toEqual([[], ['u6']])
  }))

const letters = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('')
const english =
  'the deploy failed because of a timeout in checkout and we rolled back to the version before'.split(' ')
const kinds: readonly (readonly [string, () => string])[] = [
  ['one letter', () => 'x'],
  ['half a page', () => `${'a'.repeat(2_040)}`],
  [
    'English',
    () =>
      Array.from({ length: 700 }, () => english[Math.floor(Math.random() * 17)])
        .join(' ')
        .slice(0, 4_096),
  ],
  ['random words', () => Array.from({ length: 585 }, () => letters(6)).join(' ')],
  ['long random words', () => Array.from({ length: 40 }, () => letters(101)).join(' ')],
  [
    'Chinese',
    () =>
      String.fromCodePoint(
        ...Array.from({ length: 1_365 }, () => 0x4e00 + Math.floor(Math.random() * 20_900)),
      ),
  ],
]

it.each(kinds)('counts no less than the store uses, whatever the texts are: %s', (name, make) =>
  inWorkspace(`search-size-${name}`, (sql) => {
    record(sql, report('t', { texts: [{ position: 1, text: 'begins' }] }), null, START)
    const [before, counted] = [
      sql.databaseSize,
      Number(sql.exec('SELECT bytes FROM text_total').one()['bytes']),
    ]
    for (let position = 2; position < 300; position += 20) {
      const texts = Array.from({ length: 20 }, (_, at) => ({ position: position + at, text: make() }))
      record(sql, report('t', { texts }), null, START, {
        ...ROOMY,
        max_search_bytes: 100_000_000,
        max_thread_search_bytes: 50_000_000,
      })
    }
    const added = Number(sql.exec('SELECT bytes FROM text_total').one()['bytes']) - counted
    expect(added).toBeGreaterThanOrEqual(sql.databaseSize - before)
  }),
)

it('drops texts of the key that has too many, and those of no other', () =>
  inWorkspace('search-5', (sql) => {
    const say = (id: string, owner: string, at: number): void =>
      record(
        sql,
        report(id, { owner, at, texts: [{ position: 1, text: `${id}bird x` }] }),
        null,
        START,
        SHARED,
      )
    say('other', 'user:ben', 1)
    for (let at = 1; at <= 20; at++) say(`t${at}`, 'user:ann', at + 1)
    expect([found(sql, 'otherbird', 'user:ben'), found(sql, 't1bird', 'user:ann')]).toEqual([['other'], []])
    expect(found(sql, 't20bird', 'user:ann')).toEqual(['t20'])
    const kept = 'SELECT key, text_bytes FROM key_threads ORDER BY key'
    const sums =
      'SELECT made_by AS key, sum(text_bytes) AS text_bytes FROM threads GROUP BY made_by ORDER BY made_by'
    expect(sql.exec(kept).toArray()).toEqual(sql.exec(sums).toArray())
    expect(sql.exec(kept).toArray()[0]?.['text_bytes']).toBeLessThanOrEqual(6 * TEXT)
    for (let at = 1; at <= 20; at++) forget(sql, `t${at}`, NO_RUNS, START, 0)
    expect(sql.exec(kept).toArray()).toEqual(sql.exec(sums).toArray())
  }))

/** The number of rows that a search reads from the store. */
function read(sql: SqlStorage, words: string, owner: string | null): number {
  const cursors: { readonly rowsRead: number }[] = []
  const seen = new Proxy(sql, {
    get: (_, name) =>
      name === 'exec'
        ? (query: string, ...bound: SqlStorageValue[]) => {
            const cursor = sql.exec(query, ...bound)
            cursors.push(cursor)
            return cursor
          }
        : Reflect.get(sql, name),
  })
  found(seen, words, owner)
  return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
}

it('reads the same few rows for a word prefix, however many texts an owner has', () =>
  inWorkspace('search-beginnings', (sql) => {
    const fill = (from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        const texts = Array.from({ length: 50 }, (_, position) => ({
          position: position + 1,
          text: `zzz${position} incident`,
        }))
        record(sql, report(`t${at}`, { at: at + 1, title: `Thread number${at}`, texts }), null, START)
      }
    }
    record(
      sql,
      report('old', { title: 'Incunabula', texts: [{ position: 1, text: 'zebra crossing' }] }),
      null,
      START,
    )
    fill(0, 20)
    expect([
      found(sql, 'zeb'),
      found(sql, 'incuna'),
      found(sql, 'zebra'),
      found(sql, 'zzz4 inc').length,
    ]).toEqual([[], ['old'], ['old'], 20])
    // After a whole word, which is in the index.
    expect([found(sql, 'zebra cross'), found(sql, 'zebra ross')]).toEqual([['old'], []])
    const few = [read(sql, 'zzz', 'user:ann'), read(sql, 'inc', null)]
    fill(20, 60)
    for (const [at, owner] of ['user:ann', null].entries())
      expect(read(sql, at === 0 ? 'zzz' : 'inc', owner)).toBeLessThan((few[at] ?? 0) * 1.2)
    // There is no prefix index, because a search would have to walk through its entries.
    expect(sql.exec("SELECT sql FROM sqlite_schema WHERE name = 'words'").one()['sql']).not.toContain(
      'prefix',
    )
  }))

it('reads a megabyte of texts for a word prefix, and others’ texts not at all', () =>
  inWorkspace('search-megabyte', (sql) => {
    const long = 'x '.repeat(2_000)
    const pages = PREFIX_SEARCH_CHARS_READ_MAX / long.length
    const texts = Array.from({ length: Math.ceil(pages) + 50 }, (_, at) => ({
      position: at + 1,
      text: at < 40 ? 'okapi' : long,
    }))
    record(sql, report('mine', { texts: texts.slice(0, 40), at: 1 }), null, START, {
      ...ROOMY,
      max_search_bytes: 100_000_000,
    })
    record(sql, report('theirs', { owner: 'user:ben', at: 2, texts }), null, START, {
      max_thread_search_bytes: 50_000_000,
      max_search_bytes: 500_000_000,
    })
    expect([found(sql, 'oka'), found(sql, 'oka', 'user:ben'), found(sql, 'okapi', 'user:ben')]).toEqual([
      ['mine'],
      [],
      ['theirs'],
    ])
    expect(read(sql, 'oka', 'user:ann')).toBeLessThan(PREFIX_SEARCH_TEXTS_READ_MAX / 2)
    expect([found(sql, '東京'), found(sql, 'oka', 'user:an')]).toEqual([[], []])
  }))

it('uses the first words of a text and of a query', () =>
  inWorkspace('search-words', (sql) => {
    const words = Array.from({ length: 400 }, (_, at) => `w${at}x`)
    record(sql, report('t1', { texts: [{ position: 1, text: `${words.join(' ')} 東京都` }] }), null, START)
    expect([
      found(sql, 'w0x w299x'),
      found(sql, 'w300x w0x'),
      found(sql, words.slice(0, 20).join(' ')),
    ]).toEqual([['t1'], [], ['t1']])
    record(sql, report('t2', { texts: [{ position: 1, text: '東京都' }] }), null, START)
    expect([found(sql, '東京'), found(sql, '京東')]).toEqual([['t2'], []])
  }))

it('leaves cutting excerpts to the caller, which yields to other requests', async () => {
  let rests = 0
  const pace = startPace(async () => void rests++)
  await inWorkspace('search-excerpts', (sql) => {
    for (let at = 0; at < 20; at++)
      record(
        sql,
        report(`t${at}`, { at: at + 1, texts: [{ position: 1, text: `${'a\u0301 '.repeat(1_300)}heron` }] }),
        null,
        START,
      )
  })
  const page = await (env.WORKSPACES.getByName('search-excerpts') as unknown as WorkspaceApi).searchThreads(
    'user:ann',
    'heron',
    null,
    100,
  )
  if (!page.ok) throw new Error(page.error.detail)
  expect(page.value.data[0]?.text).toMatch(/heron$/)
  const found = await withExcerpts(page.value.data, 'heron', pace)
  expect(found.map(({ match }) => match?.hit)).toEqual(Array(20).fill('heron'))
  expect(rests).toBeGreaterThanOrEqual((20 * 3_900) / (2 * UNITS_BETWEEN_PAUSES))
})
