// Guards "accepted is kept": a run whose id was returned gets exactly one terminal event, even if its object dies, its
// alarm is lost, or it is cancelled at any moment.
import { describe, expect, it } from 'vitest'
import { isTerminal } from '../../src/agent/events.ts'
import { NO_TOKENS } from '../../src/agent/message.ts'
import { read } from './reader.ts'
import { HandClock, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, pairing, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

const HANG: Turn = { act: (_, __, signal) => hang(signal) }

/** A model that hangs at its first call and answers all others. */
function slowStarter(): ScriptedModel {
  return new ScriptedModel((_, call) => (call === 0 ? HANG : { content: [text('Here I am.')] }))
}

const once = (done: boolean): boolean => done

describe('a run whose alarm was lost', () => {
  const reads: Record<string, (thread: TestThread, runId: string) => Promise<unknown>> = {
    'its receipt': (thread, runId) => thread.receipt(runId),
    'the list of runs': (thread) => thread.api.receipts(thread.caller, null, 10),
    'the transcript': (thread) => thread.messages(),
    'the thread': (thread) => thread.api.info(thread.caller),
    'its events': async (thread, runId) => read(await thread.stream(runId)),
    "the thread's events": (thread) => thread.stream(null),
    'its reply': (thread, runId) => thread.api.reply(thread.caller, runId, 5_000),
    'a message that is refused because of it': (thread) => thread.refused('Another.'),
    'a message queued behind it': (thread) => thread.start('Another.', { onBusy: 'enqueue' }),
    'the same request again': (thread) => thread.start('Hello', { idempotency: { key: 'k', digest: 'd' } }),
  }
  for (const [what, ask] of Object.entries(reads))
    it(`continues on a request for ${what}`, async () => {
      const model = slowStarter()
      const thread = new TestThread(speaks(model))
      const { run_id } = await thread.start('Hello', { idempotency: { key: 'k', digest: 'd' } })
      await eventually(() => model.requests.length === 1, once)
      await thread.kill('alarm lost')
      expect(await thread.status(run_id)).toBe('running')
      await ask(thread, run_id)
      await eventually(
        () => thread.status(run_id),
        (status) => status === 'completed',
      )
      expect((await thread.receipt(run_id)).interrupted_waits).toBe(1)
    })

  it('starts even if it only waits in the queue', async () => {
    const model = slowStarter()
    let down = false
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start()
    const { run_id: next } = await thread.start('Next.', { onBusy: 'enqueue' })
    await thread.sql((sql) => {
      sql.exec(
        "UPDATE runs SET status = 'cancelled', stop_reason = 'cancelled', ended_at = 1 WHERE id = ?",
        run_id,
      )
      down = true
    })
    expect(down).toBe(true)
    await thread.kill('alarm lost')
    expect(await thread.status(next)).toBe('queued')
    await thread.api.info(thread.caller)
    await eventually(
      () => thread.status(next),
      (status) => status === 'completed',
    )
  })
})

describe('a run that fails inside', () => {
  it('ends with its reason and without secrets in it', async () => {
    const model = new ScriptedModel(() => {
      throw new Error('broken: api_key=sk-ant-0123456789abcdef0123')
    })
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start()
    const receipt = await thread.ended(run_id)
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'internal', error: { code: 'internal' } })
    expect(JSON.stringify(receipt)).not.toContain('0123456789abcdef')
    await thread.checkEnded(run_id, 0)
  })

  it('keeps its alarm when waking fails, so that it is retried', async () => {
    const model = slowStarter()
    const ports = speaks(model)
    const thread = new TestThread(ports)
    const { run_id } = await thread.start()
    await eventually(() => model.requests.length === 1, once)
    await thread.kill()
    await thread.sql((sql) => sql.exec('ALTER TABLE runs RENAME TO hidden'))
    await thread.alarm()
    expect(await thread.alarmAt()).not.toBeNull()
    await thread.sql((sql) => sql.exec('ALTER TABLE hidden RENAME TO runs'))
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
  })
})

describe('cancel', () => {
  async function cancelled(thread: TestThread, runId: string): Promise<void> {
    const answer = await thread.api.cancel(thread.caller, runId)
    expect(answer).toMatchObject({ value: { status: 'cancelled', stop_reason: 'cancelled' } })
    const again = await thread.api.cancel(thread.caller, runId)
    expect(again).toEqual(answer)
    const whole = await thread.checkEnded(runId, 0)
    expect(whole.at(-1)?.type).toBe('run.cancelled')
    expect(pairing(await thread.messages())).toEqual([])
  }

  it('stops a model that is streaming', async () => {
    const model = new ScriptedModel([
      {
        act: async (_, onDelta, signal) => {
          await onDelta({ type: 'text', block: 0, text: 'Once upon' })
          return hang(signal)
        },
      },
    ])
    const thread = new TestThread(speaks(model))
    const { run_id, events } = await thread.start('Tell.', { follow: true })
    const { events: seen } = await read(events, (event) => event.type === 'text.delta')
    expect(seen.at(-1)).toMatchObject({ type: 'text.delta', text: 'Once upon' })
    await cancelled(thread, run_id)
  })

  it('stops tools that ignore it, and tells the model what is known of each call', async () => {
    let begun = 0
    const deaf = (): Promise<never> => {
      begun += 1
      return new Promise(() => undefined)
    }
    const tools = [tool('look', 'read', deaf), tool('send', 'once', deaf), tool('put', 'idempotent', deaf)]
    const model = new ScriptedModel((_, call) => ({
      content: call === 0 ? [use('t1', 'send'), use('t2', 'put')] : [text('Then not.')],
    }))
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    const { run_id } = await thread.start('Send.')
    await eventually(() => begun === 1, once)
    await cancelled(thread, run_id)
    const results = (await thread.messages()).at(-1)?.content
    expect(results).toMatchObject([
      {
        tool_use_id: 't1',
        is_error: true,
        content: expect.stringContaining('outcome of this call is unknown'),
      },
      { tool_use_id: 't2', is_error: true, content: 'Not run: the run was cancelled.' },
    ])
    expect(begun).toBe(1)
    // The thread continues with a legal request.
    const next = await thread.start('Well?')
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed' })
    expect(model.problems).toEqual([])
  })

  it('reports a call whose object died as of unknown outcome, not as not made', async () => {
    let sent = 0
    const tools = [
      tool('send', 'once', () => {
        sent += 1
        return new Promise(() => undefined)
      }),
    ]
    const model = new ScriptedModel([{ content: [use('t1', 'send')] }])
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    const { run_id } = await thread.start('Send.')
    await eventually(() => sent === 1, once)
    await thread.kill('alarm lost')
    await cancelled(thread, run_id)
    expect((await thread.messages()).at(-1)?.content).toMatchObject([
      {
        tool_use_id: 't1',
        is_error: true,
        content: expect.stringContaining('outcome of this call is unknown'),
      },
    ])
    expect(sent).toBe(1)
  })

  it('removes a queued run without disturbing the current one', async () => {
    const gate = { open: false }
    const model = new ScriptedModel((request) => ({
      act: async (_, onDelta) => {
        await onDelta({ type: 'text', block: 0, text: 'First ' })
        while (!gate.open) await scheduler.wait(1)
        await onDelta({ type: 'text', block: 0, text: 'and last.' })
        return new ScriptedModel(() => ({ content: [text('First and last.')] })).call(
          request,
          () => undefined,
          new AbortController().signal,
        )
      },
    }))
    const thread = new TestThread(speaks(model))
    const first = await thread.start('One.')
    await eventually(() => model.requests.length === 1, once)
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    await cancelled(thread, second.run_id)
    // A reader that comes now still gets the text that was already said.
    const late = await thread.stream(first.run_id)
    gate.open = true
    const { events } = await read(late)
    const words = events.filter(({ type }) => type === 'text.delta')
    expect(words).toMatchObject([{ text: 'First ' }, { text: 'and last.' }])
    expect(await thread.ended(first.run_id)).toMatchObject({ status: 'completed' })
    await thread.checkEnded(first.run_id, 1)
    expect(model.requests).toHaveLength(1)
  })

  it('ends a run that waits for a retry', async () => {
    const clock = new HandClock()
    const fault = {
      retry: 'later',
      reason: 'overloaded',
      detail: 'Busy.',
      retryAfterMs: 60_000,
      usage: NO_TOKENS,
    } as const
    const model = new ScriptedModel([{ act: async () => ({ kind: 'fault', fault }) }])
    const thread = new TestThread({ ...speaks(model), now: clock.now })
    const { run_id } = await thread.start()
    await eventually(
      () => thread.sql((sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at']),
      (at) => at !== null,
    )
    await cancelled(thread, run_id)
    expect(model.requests).toHaveLength(1)
  })

  it('changes nothing after the end', async () => {
    const thread = new TestThread(speaks(new ScriptedModel([{ content: [text('Done.')] }])))
    const { run_id } = await thread.start()
    const before = await thread.ended(run_id)
    expect(await thread.api.cancel(thread.caller, run_id)).toEqual({ ok: true, value: before })
    expect((await thread.replay(run_id)).filter((event) => isTerminal(event.type))).toHaveLength(1)
  })

  it('ends the run once when it arrives at the very end, with one receipt', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const thread = new TestThread({ ...speaks(new ScriptedModel([{ content: [text('Done.')] }])) })
      const { run_id } = await thread.start()
      const answer = await thread.api.cancel(thread.caller, run_id)
      const receipt = await thread.ended(run_id)
      expect(answer).toEqual({ ok: true, value: receipt })
      expect(receipt.recoveries).toBe(0)
      const ends = (await thread.replay(run_id)).filter((event) => isTerminal(event.type))
      expect(ends).toMatchObject([{ receipt: { status: receipt.status, recoveries: 0 } }])
    }
  })

  it('happens when the client disconnects, if the run was started so', async () => {
    for (const onDisconnect of ['cancel', 'continue'] as const) {
      const world = new World()
      const gate = { open: false }
      const model = new ScriptedModel((_, call) => ({
        act: async (request, onDelta, signal) => {
          while (!gate.open && !signal.aborted) {
            await onDelta({ type: 'text', block: 0, text: 'I begin' })
            await scheduler.wait(1)
          }
          if (signal.aborted) return hang(signal)
          return new ScriptedModel(() => ({ content: [text(`I begin ${call}`)] })).call(
            request,
            () => undefined,
            signal,
          )
        },
      }))
      const thread = new TestThread({ ...speaks(model), tools: () => world.tools })
      const { run_id, events } = await thread.start('Go.', { follow: true, onDisconnect })
      await read(events, (event) => event.type === 'text.delta')
      if (onDisconnect === 'continue') gate.open = true
      const status = onDisconnect === 'cancel' ? 'cancelled' : 'completed'
      expect(await thread.ended(run_id)).toMatchObject({ status })
    }
  })

  it('does not happen while another client still reads', async () => {
    const model = new ScriptedModel(() => ({
      act: async (request, onDelta, signal) => {
        // The model continues, because a disconnected reader is noticed only at the next delta.
        for (let output = 0; output < 30 && !signal.aborted; output++) {
          await onDelta({ type: 'text', block: 0, text: 'I begin ' })
          await scheduler.wait(1)
        }
        if (signal.aborted) return hang(signal)
        return new ScriptedModel(() => ({ content: [text('I begin '.repeat(30))] })).call(
          request,
          () => undefined,
          signal,
        )
      },
    }))
    const thread = new TestThread(speaks(model))
    const { run_id, events } = await thread.start('Go.', { follow: true, onDisconnect: 'cancel' })
    const other = await thread.stream(null)
    await read(events, (event) => event.type === 'text.delta')
    const { events: seen } = await read(other, (event) => isTerminal(event.type))
    expect(seen.at(-1)).toMatchObject({ type: 'run.completed', run_id })
  })
})
