// Guards the way from the release before: a thread that its code wrote is read as it is, loses nothing, and goes on. The
// tables are its own, made by its migration alone.

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/lib/migrate.ts'
import { THREAD_MIGRATIONS } from '../../src/thread/schema.ts'
import { ANN, eventually, speaks, TestThread } from '../fault/rig.ts'
import { hang, ScriptedModel, text, use, type Turn } from '../fault/scripted-model.ts'
import { seedBuild } from './seed-build.ts'

type Rows = readonly Record<string, SqlStorageValue>[]

/** Tables of the first release. */
const THREAD_TABLES: Readonly<Record<string, string>> = {
  thread: '*',
  prefix: '*',
  runs: '*',
  asks: '*',
  messages: '*',
  message_parts: '*',
  tool_calls: '*',
  events: '*',
  idempotency: '*',
}

/** The same rows in the tables of the first release, and nothing else. */
async function downgrade(
  { storage }: DurableObjectState,
  tables: Readonly<Record<string, string>>,
  first: string,
  older: (table: string, row: Record<string, SqlStorageValue>) => Record<string, SqlStorageValue>,
): Promise<void> {
  const { sql } = storage
  const kept = new Map<string, Rows>()
  for (const [table, columns] of Object.entries(tables))
    kept.set(table, sql.exec(`SELECT ${columns} FROM ${table}`).toArray())
  const alarm = await storage.getAlarm()
  await storage.deleteAll()
  storage.transactionSync(() => {
    migrate(sql, [first])
    for (const [table, rows] of kept) {
      sql.exec(`DELETE FROM ${table}`)
      for (const row of rows) {
        const was = older(table, row)
        const holes = Object.keys(was).map(() => '?')
        sql.exec(
          `INSERT INTO ${table} (${Object.keys(was).join(', ')}) VALUES (${holes.join(', ')})`,
          ...Object.values(was),
        )
      }
    }
  })
  if (alarm !== null) await storage.setAlarm(alarm)
  await storage.sync()
}

/** JSON of a column without some fields, wherever in it they are. */
function without(json: SqlStorageValue | undefined, fields: readonly string[]): string | null {
  if (typeof json !== 'string') return null
  return JSON.stringify(JSON.parse(json, (key, one: unknown) => (fields.includes(key) ? undefined : one)))
}

const DONE: Turn = { content: [text('Done.')] }

function asBefore(thread: TestThread): Promise<void> {
  return thread.sql((_, state) =>
    downgrade(state, THREAD_TABLES, THREAD_MIGRATIONS[0] ?? '', (table, row) =>
      table === 'asks'
        ? { ...row, input: without(row['input'], ['calls']) }
        : table === 'tool_calls'
          ? { ...row, notes: without(row['notes'], ['body']) }
          : row,
    ),
  )
}

describe('a thread of the release before', () => {
  it('keeps its prefix and transcript to the byte, and loads a skill anew', async () => {
    const load: Turn = { content: [use('t1', 'load_skill', { name: 'review' })] }
    const model = new ScriptedModel([load, DONE])
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'upgrade-thread-1' })
    const build = await seedBuild(env, [{ name: 'review', body: 'Review it.' }])
    const one = await thread.start('One.', { build })
    await thread.ended(one.run_id)
    const receipt = await thread.receipt(one.run_id)
    await asBefore(thread)
    await thread.kill()
    expect(await thread.receipt(one.run_id)).toEqual(receipt)
    const two = await thread.start('Two.', { build })
    expect((await thread.ended(two.run_id)).status).toBe('completed')
    expect(model.problems).toEqual([])
    expect(model.requests).toHaveLength(4)
    // Nobody knows whether the old body still stands: it is given again.
    expect(JSON.stringify(model.requests[3]?.messages.at(-1))).toContain('Review it.')
    const three = await thread.start('Three.', { build })
    await thread.ended(three.run_id)
    expect(JSON.stringify(model.requests[5]?.messages.at(-1))).toContain('already loaded')
    expect(model.problems).toEqual([])
  })

  it('goes on with the run that it was in, and with the one in line', async () => {
    let dead = true
    const model = new ScriptedModel((_, call) => {
      if (call === 0) return { content: [use('t1', 'load_skill', { name: 'review' })] }
      return dead ? { act: async (_request, _onDelta, signal) => hang(signal) } : DONE
    })
    const thread = new TestThread(speaks(model), { ...ANN, workspace: 'upgrade-thread-2' })
    const build = await seedBuild(env, [{ name: 'review' }])
    const one = await thread.start('One.', { build })
    const two = await thread.start('Two.', { build, onBusy: 'enqueue' })
    await eventually(
      () => model.requests.length,
      (length) => length === 2,
    )
    await asBefore(thread)
    dead = false
    await thread.kill()
    await thread.alarm()
    expect(await thread.ended(one.run_id)).toMatchObject({
      status: 'completed',
      skills: [{ name: 'review', via: 'tool' }],
    })
    expect((await thread.ended(two.run_id)).status).toBe('completed')
    expect(model.problems).toEqual([])
    await thread.checkEnded(one.run_id, 2, false)
  })
})
