// Guards the texts that a workspace is searched by: reports may come twice, late and out of order, and none of them brings back
// what is gone, or puts an older title in the place of a newer one.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { STEPS_UNITS_AT_ONCE } from '../../src/lib/limits.ts'
import { startPace } from '../../src/lib/steps.ts'
import { rfc3339 } from '../../src/lib/clock.ts'
import { SEARCH_TEXT_ROW_BYTES, THREAD_HITS_MAX } from '../../src/workspace/limits.ts'
import type { TextRecord, ThreadRecord, WorkspaceApi } from '../../src/workspace/api.ts'
import { withExcerpts } from '../../src/thread-search/excerpt.ts'
import { searchThreads } from '../../src/workspace/search.ts'
import { matchOf } from '../../src/thread-search/words.ts'
import { forget, record as recorded } from '../../src/workspace/threads.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'

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
      forked_from: null,
      branches: [],
    },
  }
}

/** What a text of nine letters is counted as. */
const TEXT = 9 + SEARCH_TEXT_ROW_BYTES
/** Two short texts of a thread, and eleven of a workspace. */
const LIMITS = { max_thread_search_bytes: 2 * TEXT, max_search_bytes: 11 * TEXT }
/** Thirty of a workspace, and six of a key. */
const SHARED = { max_thread_search_bytes: 6 * TEXT, max_search_bytes: 30 * TEXT }
const ROOMY = { max_thread_search_bytes: 1_000_000, max_search_bytes: 10_000_000 }

function record(sql: SqlStorage, thread: ThreadRecord, run: null, now: number, limits = ROOMY): void {
  recorded(sql, thread, run, now, limits)
}

async function inWorkspace(name: string, work: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACES.getByName(name) as DurableObjectStub<Workspace>
  await stub.usage()
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
      { place: 1, text: 'first heron' },
      { place: 2, text: 'second heron' },
    ]
    record(sql, report('t1', { title: 'New name', at: 2, texts }), null, START)
    record(sql, report('t1', { title: 'Old name', at: 1, texts: texts.slice(0, 1) }), null, START)
    record(
      sql,
      report('t1', { title: 'Old name', at: 1, texts: [{ place: 3, text: 'third heron' }] }),
      null,
      START,
    )
    record(sql, report('t1', { title: 'New name', at: 2, texts }), null, START)
    expect(sql.exec('SELECT count(*) AS n FROM texts').one()['n']).toBe(4)
    expect(sql.exec("SELECT count(*) AS n FROM words WHERE words MATCH 'heron'").one()['n']).toBe(3)
    expect([found(sql, 'new'), found(sql, 'old'), found(sql, 'third')]).toEqual([['t1'], [], ['t1']])
  }))

it('brings nothing back of a thread that is deleted', () =>
  inWorkspace('search-2', (sql) => {
    const late = report('t1', { title: 'Heron', texts: [{ place: 1, text: 'about herons' }] })
    record(sql, late, null, START)
    expect(found(sql, 'heron')).toEqual(['t1'])
    forget(sql, 't1', [], START + 5)
    record(sql, late, null, START + 6)
    expect(found(sql, 'heron')).toEqual([])
    expect(sql.exec('SELECT count(*) AS n FROM texts').one()['n']).toBe(0)
    // Another one of that id, made since: what the first one still says is not its own.
    record(sql, report('t1', { title: 'Stork', made: 10 }), null, START + 10)
    record(
      sql,
      report('t1', { title: 'Heron', at: 20, texts: [{ place: 1, text: 'about herons' }] }),
      null,
      START + 11,
    )
    expect([found(sql, 'herons'), found(sql, 'stork')]).toEqual([[], ['t1']])
  }))

it('finds an owner’s few texts among many of others, and of too many the newest', () =>
  inWorkspace('search-3', (sql) => {
    record(sql, report('mine', { texts: [{ place: 1, text: 'a heron' }] }), null, START)
    for (let at = 0; at < THREAD_HITS_MAX / 100 + 1; at++) {
      const texts = Array.from({ length: 100 }, (_, place) => ({ place: place + 1, text: 'heron heron' }))
      record(sql, report(`t${at}`, { owner: 'user:ben', at: at + 1, texts }), null, START)
    }
    expect(found(sql, 'heron')).toEqual(['mine'])
    expect(found(sql, 'heron', 'user:an')).toEqual([])
    const all = found(sql, 'heron', null)
    expect([all[0], all.length]).toEqual([`t${THREAD_HITS_MAX / 100}`, THREAD_HITS_MAX / 100])
  }))

it('keeps so many bytes of a thread’s messages, and of all, and drops the oldest; titles stay', () =>
  inWorkspace('search-4', (sql) => {
    const bytes = (): unknown => sql.exec('SELECT bytes FROM text_total').one()['bytes']
    const say = (id: string, place: number, at: number): void =>
      record(
        sql,
        {
          ...report(id, { title: `Title of ${id}`, at, texts: [{ place, text: `${id}bird${place} x` }] }),
          made_by: id,
        },
        null,
        START,
        LIMITS,
      )
    for (let place = 1; place <= 9; place++) say('t1', place, place)
    expect([found(sql, 't1bird1'), found(sql, 't1bird9'), bytes()]).toEqual([[], ['t1'], 2 * TEXT])
    for (const id of ['t2', 't3', 't4', 't5', 't6'])
      for (let place = 1; place <= 4; place++) say(id, place, 20)
    // The oldest of all are those of t1, whose title stays.
    expect([found(sql, 't1bird8'), found(sql, 'title t1'), found(sql, 't5bird4')]).toEqual([
      [],
      ['t1'],
      ['t5'],
    ])
    expect(bytes()).toBeLessThanOrEqual(LIMITS.max_search_bytes)
    const kept =
      'SELECT (SELECT sum(text_bytes) FROM threads) AS a, (SELECT sum(bytes) FROM texts WHERE place > 0) AS b'
    expect(sql.exec(kept).one()).toEqual({ a: bytes(), b: bytes() })
    // Deleted, threads give their bytes back, and what comes then is dropped in its turn, whatever numbers it gets.
    for (const id of ['t1', 't2', 't3', 't4', 't5', 't6']) forget(sql, id, [], START)
    expect(bytes()).toBe(0)
    for (const id of ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'])
      for (let place = 1; place <= 4; place++) say(id, place, 20)
    expect(bytes()).toBeLessThanOrEqual(LIMITS.max_search_bytes)
    expect([found(sql, 'u1bird1'), found(sql, 'u6bird4')]).toEqual([[], ['u6']])
  }))

it('counts no less than the store takes, however short the texts are', () =>
  inWorkspace('search-short', (sql) => {
    const before = sql.databaseSize
    for (let at = 0; at < 20; at++) {
      const texts = Array.from({ length: 200 }, (_, place) => ({ place: place + 1, text: 'x' }))
      record(sql, report(`t${at}`, { texts }), null, START)
    }
    const counted = Number(sql.exec('SELECT bytes FROM text_total').one()['bytes'])
    expect(counted).toBeGreaterThanOrEqual(sql.databaseSize - before)
  }))

it('drops the texts of the key that has too many, and those of no other', () =>
  inWorkspace('search-5', (sql) => {
    const say = (id: string, owner: string, at: number): void =>
      record(sql, report(id, { owner, at, texts: [{ place: 1, text: `${id}bird x` }] }), null, START, SHARED)
    say('other', 'user:ben', 1)
    for (let at = 1; at <= 20; at++) say(`t${at}`, 'user:ann', at + 1)
    expect([found(sql, 'otherbird', 'user:ben'), found(sql, 't1bird', 'user:ann')]).toEqual([['other'], []])
    expect(found(sql, 't20bird', 'user:ann')).toEqual(['t20'])
    const kept = 'SELECT key, text_bytes FROM key_threads ORDER BY key'
    const sums =
      'SELECT made_by AS key, sum(text_bytes) AS text_bytes FROM threads GROUP BY made_by ORDER BY made_by'
    expect(sql.exec(kept).toArray()).toEqual(sql.exec(sums).toArray())
    expect(sql.exec(kept).toArray()[0]?.['text_bytes']).toBeLessThanOrEqual(6 * TEXT)
    for (let at = 1; at <= 20; at++) forget(sql, `t${at}`, [], START)
    expect(sql.exec(kept).toArray()).toEqual(sql.exec(sums).toArray())
  }))

it('looks at no words of others for the beginning of a word', () =>
  inWorkspace('search-beginnings', (sql) => {
    for (const [id, owner] of Object.entries({ mine: 'user:ann', theirs: 'user:ben' }))
      record(sql, report(id, { owner, texts: [{ place: 1, text: 'An incident in 東京都' }] }), null, START)
    // A beginning costs what the index holds of it: only words of the owner begin as these do.
    sql.exec("CREATE VIRTUAL TABLE seen USING fts5vocab('words', 'col')")
    const terms = (owner: string, question: string): readonly string[] =>
      Array.from(
        (matchOf(owner, question) ?? '').matchAll(/\(own : "(\w+|[^"]+)"/gu),
        ([, word]) => word ?? '',
      )
    const [ann = ''] = terms('user:ann', 'inc')
    const [ben = ''] = terms('user:ben', 'inc')
    const like = "SELECT col, doc FROM seen WHERE term LIKE ? || '%'"
    for (const word of [ann, ben]) expect(sql.exec(like, word).toArray()).toEqual([{ col: 'own', doc: 1 }])
    expect(ann).not.toBe(ben)
    expect([found(sql, 'inc'), found(sql, '東京'), found(sql, '京東')]).toEqual([['mine'], ['mine'], []])
    expect(found(sql, 'inc', null)).toEqual(['theirs', 'mine'])
  }))

it('leaves the cutting of excerpts to whoever asks, who lets others in meanwhile', async () => {
  let rests = 0
  const pace = startPace(async () => void rests++)
  await inWorkspace('search-excerpts', (sql) => {
    for (let at = 0; at < 20; at++)
      record(
        sql,
        report(`t${at}`, { at: at + 1, texts: [{ place: 1, text: `${'a\u0301 '.repeat(1_300)}heron` }] }),
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
  expect(rests).toBeGreaterThanOrEqual((20 * 3_900) / (2 * STEPS_UNITS_AT_ONCE))
})
