// Guards "accepted is kept" against rows that cannot be read or written: a step is stored whole or not at all, and a
// thread with a damaged row stays readable and ends its runs with a reason.
import { describe, expect, it } from 'vitest'
import { STORED_JSON_MAX_DEPTH } from '../../src/thread/rows/limits.ts'
import { isTerminal } from '../../src/agent/events.ts'
import { speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, use } from './scripted-model.ts'
import { World } from './world.ts'

const DONE = { content: [text('Done.')] }
const ABSURD = '['.repeat(200_000) + ']'.repeat(200_000)

function nested(depth: number): object {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = [value]
  return { value }
}

/** A thread with one run that used a tool. */
async function looked(): Promise<{ thread: TestThread; model: ScriptedModel; runId: string }> {
  const world = new World()
  const model = new ScriptedModel([{ content: [text('I look.'), use('t1', 'look')] }, DONE])
  const thread = new TestThread({ ...speaks(model), tools: () => world.tools })
  const { run_id: runId } = await thread.start('Go.')
  await thread.ended(runId)
  return { thread, model, runId }
}

/** Checks that everything a reader may request is answered. */
async function readable(thread: TestThread, runId: string): Promise<void> {
  await thread.messages()
  value(await thread.api.receipts(thread.caller, null, 10))
  expect(await thread.receipt(runId)).toMatchObject({ status: 'completed' })
  value(await thread.api.info(thread.caller))
  value(await thread.api.reply(thread.caller, runId, 1_000))
  expect((await thread.replay(runId)).filter(({ type }) => isTerminal(type))).toHaveLength(1)
  expect((await thread.threadReplay(runId)).at(-1)).toMatchObject({ type: 'run.completed', run_id: runId })
}

describe('a step that cannot be stored whole', () => {
  for (const depth of [STORED_JSON_MAX_DEPTH + 1, 4_000, 100_000])
    it(`stores nothing of itself: input nested ${depth} levels deep`, async () => {
      const world = new World()
      const model = new ScriptedModel((_, call) =>
        call === 0 ? { content: [text('I look.'), use('t1', 'look', nested(depth))] } : DONE,
      )
      const thread = new TestThread({ ...speaks(model), tools: () => world.tools })
      const { run_id } = await thread.start('Go.')
      const receipt = await thread.ended(run_id)
      expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'internal', tools: [] })
      expect(world.ran).toEqual([])
      // The text is kept; the call that could not be stored is not.
      expect((await thread.messages()).map(({ content }) => content)).toEqual([
        [text('Go.')],
        [text('I look.')],
      ])
      const rows = await thread.sql((sql) => sql.exec('SELECT count(*) AS n FROM tool_calls').one()['n'])
      expect(rows).toBe(0)
      await thread.checkEnded(run_id, 1)
      const next = await thread.start('And now?')
      expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
      expect(model.problems).toEqual([])
    })
})

describe('a step whose rows fail halfway', () => {
  it('leaves no trace, and its run ends with a reason', async () => {
    const world = new World()
    const model = new ScriptedModel([{ content: [text('I put.'), use('t1', 'put')] }])
    const thread = new TestThread({ ...speaks(model), tools: () => world.tools })
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.sql((sql) =>
      sql.exec(
        "CREATE TRIGGER full BEFORE INSERT ON tool_calls WHEN new.name = 'put' BEGIN SELECT raise(ABORT, 'full'); END",
      ),
    )
    const { run_id } = await thread.start('Go.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'failed', stop_reason: 'internal', steps: 0 })
    const messages = (await thread.messages()).filter((message) => message.run_id === run_id)
    expect(messages.map(({ content }) => content)).toEqual([[text('Go.')], [text('I put.')]])
    const whole = await thread.checkEnded(run_id, 1, false)
    expect(whole.filter(({ type }) => type === 'message.completed')).toMatchObject([{ model_stop: 'cut' }])
    await thread.kill()
    expect(await thread.replay(run_id)).toEqual(whole)
  })
})

describe('the end of a run', () => {
  const STOPS = `CREATE TRIGGER full BEFORE INSERT ON events WHEN new.type IN ('run.completed', 'run.failed')
    BEGIN SELECT raise(ABORT, 'full'); END`

  it('is stored in short if it is too long', async () => {
    const name = (at: number): string => `${at}`.padStart(2, '0') + 'x'.repeat(200_000)
    const calls = Array.from({ length: 16 }, (_, at) => use(`t${at}`, name(at)))
    const model = new ScriptedModel((request) =>
      JSON.stringify(request.messages.at(-1)).includes('Go.') ? { content: calls } : DONE,
    )
    const thread = new TestThread(speaks(model))
    await thread.ended((await thread.start('Hello.')).run_id)
    // Simulates the platform's limit on a row, which is higher here.
    await thread.sql((sql) =>
      sql.exec(
        "CREATE TRIGGER row_max BEFORE INSERT ON events WHEN length(new.body) > 2000000 BEGIN SELECT raise(ABORT, 'too big'); END",
      ),
    )
    const { run_id } = await thread.start('Go.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    const whole = await thread.checkEnded(run_id, 2, false)
    const last = whole.at(-1)
    if (last?.type !== 'run.completed') throw new Error('no end')
    expect(last).toMatchObject({ stop_reason: 'answered', receipt: { run_id, steps: 2 } })
    expect([last.receipt.tools.length, (await thread.receipt(run_id)).tools.length]).toEqual([0, 16])
    await thread.kill()
    expect((await thread.replay(run_id)).at(-1)).toEqual(last)
    const next = await thread.start('And now?')
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
  })

  it('does not exist without its event: the alarm ends the run once it can be stored', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model))
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.sql((sql) => sql.exec(STOPS))
    const { run_id } = await thread.start('Go.')
    const recoveries = (): Promise<unknown> =>
      thread.sql((sql) => sql.exec('SELECT recoveries AS n FROM runs WHERE id = ?', run_id).one()['n'])
    // Resuming does not mean that the run has ended.
    await eventually(
      async () => {
        await thread.alarm()
        return recoveries()
      },
      (count) => count !== 0,
    )
    expect(await thread.status(run_id)).toBe('running')
    expect(await thread.alarmAt()).not.toBeNull()
    await thread.sql((sql) => sql.exec('DROP TRIGGER full'))
    await eventually(
      async () => {
        await thread.alarm()
        return thread.status(run_id)
      },
      (status) => status !== 'running',
    )
    expect(await thread.receipt(run_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    await thread.checkEnded(run_id, 1, false)
    expect(model.requests).toHaveLength(2)
  })

  it('keeps the streamed text, once, after a failed write', async () => {
    let requested = 0
    const model = new ScriptedModel((_, call) =>
      call === 0
        ? DONE
        : {
            act: async (_request, onDelta, signal) => {
              await onDelta({ type: 'text', block: 0, text: 'Half a' })
              requested += 1
              return hang(signal)
            },
          },
    )
    const thread = new TestThread(speaks(model))
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.sql((sql) => sql.exec(STOPS.replace("'run.failed'", "'run.cancelled'")))
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => requested,
      (count) => count === 1,
    )
    await thread.api.cancel(thread.caller, run_id)
    expect(await thread.status(run_id)).toBe('failed')
    const output = (await thread.messages()).filter((message) => message.run_id === run_id)
    expect(output.map(({ content }) => content)).toEqual([[text('Go.')], [text('Half a')]])
    await thread.checkEnded(run_id, 1, false)
  })

  it('makes no model call for a message that could not be stored, and accepts the next', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model))
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.sql((sql) =>
      sql.exec("CREATE TRIGGER full BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'full'); END"),
    )
    const input = await thread.input('Lost.')
    expect(await thread.api.start(thread.caller, input).catch(String)).toContain('full')
    await thread.sql((sql) => sql.exec('DROP TRIGGER full'))
    const { run_id } = await thread.start('Again.')
    await thread.ended(run_id)
    expect(model.requests).toHaveLength(2)
    expect((await thread.messages()).map(({ content }) => content)).not.toContainEqual([text('Lost.')])
    await thread.checkEnded(run_id, 1, false)
  })

  it('is stored together with the acceptance of a run that can never start, or not at all', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => DONE)))
    await thread.ended((await thread.start('Hello.')).run_id)
    await thread.sql((sql) => sql.exec(STOPS))
    const input = { ...(await thread.input('Never.', { create: false })), runId: 'run_never' }
    const fails = (): Promise<unknown> => thread.api.startFailed(thread.caller, input, 'No.', 'internal')
    expect(await fails().catch(String)).toContain('full')
    expect(await thread.sql((sql) => sql.exec('SELECT 1 FROM runs').toArray().length)).toBe(1)
    await thread.sql((sql) => sql.exec('DROP TRIGGER full'))
    expect(await fails()).toEqual({ ok: true, value: null })
    expect(await thread.status('run_never')).toBe('failed')
    await thread.checkEnded('run_never', 0, false)
  })
})

describe('a thread with a damaged row', () => {
  const BAD: Record<string, string> = {
    'a message that is not JSON': 'UPDATE messages SET content = ?1 WHERE seq = 2',
    'a tool call': 'UPDATE tool_calls SET notes = ?1',
    'the request of its run': 'UPDATE asks SET input = ?1',
    'the display text': 'UPDATE messages SET shown = ?1',
    'an event': "UPDATE events SET body = ?1 WHERE type = 'tool.completed'",
    'the last event': "UPDATE events SET body = ?1 WHERE type = 'run.completed'",
    'all of its events': 'UPDATE events SET body = ?1',
    'its metadata': 'UPDATE thread SET metadata = ?1',
    'the figures of its runs': 'UPDATE runs SET usage = ?1, options = ?1',
  }
  for (const [what, spoil] of Object.entries(BAD))
    for (const [how, json] of [
      ['cut', '[{"type":"te'],
      ['absurd', ABSURD],
      ['of another kind', '"text"'],
    ] as const)
      it(`can still be read: ${what} (${how})`, async () => {
        const { thread, runId } = await looked()
        await thread.sql((sql) => sql.exec(spoil, json))
        await thread.kill()
        await readable(thread, runId)
      })

  it('shows a replacement for a message, and ends later runs with a reason', async () => {
    const { thread, model, runId } = await looked()
    await thread.sql((sql) => sql.exec("UPDATE messages SET content = '[{' WHERE seq = 2"))
    await thread.kill()
    const lost = (await thread.messages())[1]
    expect(lost?.content).toEqual([text('[This message can no longer be read.]')])
    const next = await thread.start('And now?')
    const receipt = await thread.ended(next.run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'internal' })
    expect(receipt.error?.detail).toContain(lost?.id)
    expect(model.requests).toHaveLength(2)
    await readable(thread, runId)
    expect(await thread.api.remove(thread.caller)).toMatchObject({ ok: true })
  })

  it('ends the run in progress', async () => {
    const model = new ScriptedModel(() => ({ act: (_, __, signal) => hang(signal) }))
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start('Go.')
    await thread.sql((sql) => sql.exec('UPDATE messages SET content = ?', ABSURD))
    await thread.kill()
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({ status: 'failed', stop_reason: 'internal' })
  })
})
