// Guards how many rows a run writes: each is billed once for every b-tree that contains it.

import { describe, expect, it } from 'vitest'
import { speaks, TestThread } from './rig.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'

const DONE: Turn = { content: [text('Done.')] }

interface Spent {
  readonly rows: number
  /** Rows by statement, the most expensive first: start here if the sum has grown. */
  readonly by: readonly (readonly [string, number])[]
}

/** Rows that a message writes, by default a thread's second, from its acceptance until its end was reported everywhere. */
async function rowsOf(model: ScriptedModel, isNew = false): Promise<Spent> {
  const thread = new TestThread(speaks(model))
  if (!isNew) {
    await thread.ended((await thread.start('Hello.')).run_id)
    await reported(thread)
  }
  const made: {
    readonly query: string
    readonly cursor: SqlStorageCursor<Record<string, SqlStorageValue>>
  }[] = []
  await thread.sql((sql) => {
    const exec = sql.exec.bind(sql)
    // The cast is safe: the overloads of exec are as general as this signature.
    sql.exec = ((query: string, ...values: unknown[]) => {
      const cursor = exec(query, ...values)
      made.push({ query, cursor })
      return cursor
    }) as typeof sql.exec
  })
  const receipt = await thread.ended((await thread.start('Go.')).run_id)
  expect(receipt).toMatchObject({ status: 'completed', stop_reason: 'answered' })
  await reported(thread)
  const by = new Map<string, number>()
  for (const { query, cursor } of made) {
    const words = query.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
    if (cursor.rowsWritten > 0) by.set(words, (by.get(words) ?? 0) + cursor.rowsWritten)
  }
  return {
    rows: [...by.values()].reduce((sum, rows) => sum + rows, 0),
    by: [...by].sort(([, a], [, b]) => b - a),
  }
}

async function reported(thread: TestThread): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    const left = await thread.sql((sql) =>
      sql.exec('SELECT 1 FROM runs, thread WHERE recorded = 0 OR listed = 0').toArray(),
    )
    if (left.length === 0) return
    await scheduler.wait(2)
  }
  throw new Error('the workspace was never told')
}

describe('the rows that a run writes', () => {
  it('are few for five steps with four read calls', async () => {
    const calls = [
      use('t1', 'load_skill', { name: 'api-design' }),
      use('t2', 'ls', { path: '/' }),
      use('t3', 'load_skill', { name: 'code-review' }),
      use('t4', 'read_file', { path: '/api-design/SKILL.md' }),
    ]
    let requested = 0
    const model = new ScriptedModel(() => {
      const call = requested === 0 ? undefined : calls[requested - 1]
      requested += 1
      return call ? { content: [text('I look.'), call] } : DONE
    })
    const { rows, by } = await rowsOf(model)
    expect(model.requests).toHaveLength(6)
    expect(rows, JSON.stringify(by)).toBeLessThanOrEqual(59)
  })

  it('do not grow with the deltas of an answer', async () => {
    const { rows, by } = await rowsOf(new ScriptedModel(() => ({ content: [text('word'.repeat(4000))] })))
    expect(rows, JSON.stringify(by)).toBeLessThanOrEqual(18)
  })

  it('for a new thread are one for each tool and few others', async () => {
    const model = new ScriptedModel(() => DONE)
    const { rows, by } = await rowsOf(model, true)
    const tools = model.requests[0]?.tools.length ?? 0
    // A run that is still open when the new thread is listed needs one more report, which is two rows.
    expect(rows - tools, JSON.stringify(by)).toBeLessThanOrEqual(24 + 2)
  })
})
