// Guards "accepted is kept" against a faulty model API, through the real adapter and the wire format: every fault is
// waited out, retried or reported to the reader, and no incomplete message enters the transcript.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Event, Receipt } from '../../src/agent/events.ts'
import { PAUSE_TURNS_MAX } from '../../src/agent/limits.ts'
import { STEP_RETRIES_MAX } from '../../src/limits/runs.ts'
import { checkExtends } from '../fakes/messages-oracle.ts'
import type { Recorder, Reply, Script, WireEvent } from '../fakes/messages-wire.ts'
import { BUDGET, HandClock, value, type TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { KEY, wired } from './wire.ts'
import type { World } from './world.ts'

const OK: Reply = { content: [{ type: 'text', text: 'All is well.' }] }
const CALL: Reply = { content: [{ type: 'tool_use', id: 't1', name: 'send', input: { to: 'ann' } }] }
const BUSY: Reply = { status: 529, type: 'overloaded_error', message: 'Overloaded' }

interface Reported {
  readonly thread: TestThread
  readonly runId: string
  readonly receipt: Receipt
  readonly events: readonly Event[]
  readonly recorder: Recorder
  readonly world: World
}

/**
 * Runs a message against a script, with a clock so fast that no wait takes time. `unheard`: how many of the
 * first replies are not a message, although some may look like one to their sender.
 */
async function play(script: Script, unheard = 0): Promise<Reported> {
  const { thread, recorder, world } = wired(script, new HandClock(2_000))
  const { run_id: runId } = await thread.start('Go.', { budget: { ...BUDGET, wall_s: 7_200 } })
  const receipt = await eventually(
    async () => {
      const now = await thread.receipt(runId)
      const asleep = await thread.sql(
        (sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at'] !== null,
      )
      if (asleep) await thread.alarm()
      return now
    },
    ({ ended_at }) => ended_at !== null,
  )
  const events = await thread.checkEnded(runId, recorder.exchanges.length)
  checkExtends(
    recorder.exchanges.map((output, at) =>
      at < unheard ? { ...output, returned: null, stop: null } : output,
    ),
  )
  expect(JSON.stringify([receipt, events])).not.toContain('0123456789')
  return { thread, runId, receipt, events, recorder, world }
}

async function text({ thread, runId }: Reported): Promise<string | undefined> {
  const reply = value(await thread.api.reply(thread.caller, runId, 1_000))
  return reply && 'text' in reply ? reply.text : undefined
}

const retries = (events: readonly Event[]): readonly Event[] =>
  events.filter(({ type }) => type === 'model.retry')

describe('a temporary fault', () => {
  const passing: Record<string, [replies: readonly Reply[], reasons: readonly string[]]> = {
    'an overloaded API': [[BUSY], ['overloaded']],
    'a server that fails in every way': [
      [{ status: 500 }, { status: 503 }, { refuse: 'connection' }, { status: 502, body: '<html>Bad</html>' }],
      ['server_error', 'overloaded', 'connection', 'server_error'],
    ],
    'a limit with a retry time': [
      [{ status: 429, type: 'rate_limit_error', headers: { 'retry-after': '0.005' } }],
      ['rate_limited'],
    ],
    'a limit with an invalid retry time': [
      [{ status: 429, type: 'rate_limit_error', headers: { 'retry-after': 'soon' } }],
      ['rate_limited'],
    ],
    'a stream that is cut': [[{ ...OK, cutAfter: 5 }], ['cut']],
    'a stream that ends cleanly in the middle': [[{ ...OK, cutAfter: 5, cleanly: true }], ['cut']],
    'a stream that falls silent': [[{ ...OK, stallAfter: 4 }], ['stalled']],
    'an error in the middle of a stream': [
      [{ ...OK, rewrite: (all) => [...all.slice(0, 5), ERROR] }],
      ['overloaded'],
    ],
    'a page instead of a stream': [[{ status: 200, body: '<html>Welcome</html>' }], ['bad_response']],
    'a call with broken input': [[{ ...CALL, rewrite: (all) => all.map(garbled) }], ['bad_response']],
    'a call with endlessly nested input': [
      [{ ...CALL, rewrite: (all) => all.map(deepened) }],
      ['bad_response'],
    ],
    'two calls with one ID': [[{ content: [...CALL.content, ...CALL.content] }], ['bad_response']],
  }
  for (const [what, [replies, reasons]] of Object.entries(passing))
    it(`is waited out: ${what}`, async () => {
      const reported = await play([...replies, OK], replies.length)
      expect(reported.receipt).toMatchObject({
        status: 'completed',
        stop_reason: 'answered',
        recoveries: 0,
        steps: 1,
      })
      expect(reported.recorder.exchanges).toHaveLength(replies.length + 1)
      expect(await text(reported)).toBe('All is well.')
      expect((await reported.thread.messages()).map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(retries(reported.events)).toMatchObject(
        reasons.map((reason, at) => ({ attempt: at + 1, reason })),
      )
      const restarts = reported.events.filter(({ type }) => type === 'step.restarted')
      expect(restarts).toMatchObject(reasons.map(() => ({ step: 1, reason: 'model_fault' })))
      expect(reported.world.ran).toEqual([])
    })

  it('is retried after a pause with jitter, never shorter than the API asks', async () => {
    const asks: Reply = { status: 429, type: 'rate_limit_error', headers: { 'retry-after': '2' } }
    for (const [randomFraction, waits] of [
      [0, [1_000, 2_000, 4_000]],
      [0.5, [1_250, 2_500, 5_000]],
    ] as const) {
      const { thread } = wired([BUSY, asks, BUSY, OK], new HandClock(2_000))
      thread.adjust({ randomFraction: () => randomFraction })
      const { run_id } = await thread.start('Go.', { budget: { ...BUDGET, wall_s: 7_200 } })
      await thread.ended(run_id)
      const reported = retries(await thread.replay(run_id)).map((event) =>
        'wait_ms' in event ? event.wait_ms : 0,
      )
      expect(reported).toEqual(waits)
    }
  })

  it('is reported with what happened', async () => {
    const sorry: Reply = { status: 500, type: 'api_error', message: `Sorry, ${KEY}.` }
    const { events } = await play([sorry, OK])
    expect(retries(events)).toMatchObject([
      { reason: 'server_error', detail: expect.stringContaining('responded with 500 api_error: Sorry') },
    ])
  })

  it('with a long pause lets the object sleep, and is not retried before the time', async () => {
    const clock = new HandClock()
    const wait: Reply = { status: 429, type: 'rate_limit_error', headers: { 'retry-after': '30' } }
    const { thread, recorder } = wired([wait, OK], clock)
    const { run_id } = await thread.start()
    const wakesAt = clock.ms + 30_000
    await eventually(
      () => thread.alarmAt(),
      (at) => at === wakesAt,
    )
    // Evicting waits for work in progress: there is none.
    await evictDurableObject(env.THREADS.getByName(thread.name))
    clock.ms += 29_999
    await thread.alarm()
    expect((await thread.receipt(run_id)).status).toBe('running')
    expect(recorder.exchanges).toHaveLength(1)
    clock.ms += 1
    await thread.alarm()
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', recoveries: 0, model_calls: 2 })
    const events = await thread.checkEnded(run_id, 2)
    expect(retries(events)).toMatchObject([{ attempt: 1, wait_ms: 30_000, reason: 'rate_limited' }])
  })
})

describe('a permanent fault', () => {
  const many = (reply: Reply): readonly Reply[] => Array.from({ length: 12 }, () => reply)
  const api = (status: number, type: string, message: string): Reply => ({ status, type, message })
  const staying: Record<string, [replies: readonly Reply[], calls: number, stop: string, detail: RegExp]> = {
    'an API that stays overloaded': [many(BUSY), STEP_RETRIES_MAX + 1, 'model_error', /529/],
    'a timeout after a timeout': [many({ status: 408 }), 2, 'model_error', /408/],
    'broken answers': [
      many({ content: [...CALL.content, ...CALL.content] }),
      2,
      'model_error',
      /two tool calls/,
    ],
    'a wait beyond the end of the run': [
      [{ status: 429, type: 'rate_limit_error', headers: { 'retry-after': '7200' } }],
      1,
      'model_error',
      /429/,
    ],
    'a wrong key': [
      [api(401, 'authentication_error', `invalid ${KEY}`)],
      1,
      'model_error',
      /ANTHROPIC_API_KEY/,
    ],
    'no credit': [[api(402, 'billing_error', 'Pay.')], 1, 'model_error', /credit/],
    'no such model': [[api(404, 'not_found_error', 'model')], 1, 'model_error', /MODEL/],
    'a prompt that is too long': [
      [api(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000')],
      1,
      'context_overflow',
      /new thread/,
    ],
    'a request that is too large': [
      [api(413, 'request_too_large', 'Too large')],
      1,
      'context_overflow',
      /new thread/,
    ],
    'a history that is refused': [
      [api(400, 'invalid_request_error', 'thinking blocks: prefix_mismatch')],
      1,
      'model_error',
      /cannot continue/,
    ],
    'an unknown stop reason': [[{ ...OK, stop: 'tired' }], 1, 'model_error', /tired/],
    'a turn that never stops pausing': [
      many({ ...OK, stop: 'pause_turn' }),
      PAUSE_TURNS_MAX,
      'model_error',
      /paused/,
    ],
  }
  for (const [what, [replies, calls, stop, detail]] of Object.entries(staying))
    it(`ends the run with a reason: ${what}`, async () => {
      const { receipt, recorder, events } = await play(
        replies,
        stop === 'model_error' && calls === 2 ? calls : 0,
      )
      expect(receipt).toMatchObject({ status: 'failed', stop_reason: stop, error: { code: stop } })
      expect(receipt.error?.detail).toMatch(detail)
      expect(recorder.exchanges).toHaveLength(calls)
      expect(events.at(-1)).toMatchObject({
        type: 'run.failed',
        stop_reason: stop,
        error: { detail: receipt.error?.detail },
      })
    })
})

describe('a message that', () => {
  /** Checks that the thread can continue, with a request that extends the earlier ones. */
  async function mayContinue({ thread, recorder }: Reported): Promise<void> {
    const next = await thread.start('And now?', { budget: { ...BUDGET, wall_s: 7_200 } })
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    checkExtends(recorder.exchanges)
  }

  it('was refused by the API is left out of later requests, and readers still see it', async () => {
    const { thread, recorder } = await play([
      { status: 400, type: 'invalid_request_error', message: 'image: cannot be read' },
      OK,
    ])
    const next = await thread.start('And now?', { budget: { ...BUDGET, wall_s: 7_200 } })
    expect(await thread.ended(next.run_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' })
    const sent = JSON.parse(recorder.exchanges[1]?.raw ?? '') as { messages: unknown[] } // the cast is safe: Satchel sent this request
    expect(sent.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'And now?' }] }])
    expect(JSON.stringify(await thread.messages())).toContain('Go.')
  })

  it('was cut at its limit has none of its calls run, and is continued', async () => {
    const cut: Reply = { content: [{ type: 'text', text: 'I will' }, ...CALL.content], stop: 'max_tokens' }
    const reported = await play([cut, OK, OK])
    expect(reported.receipt).toMatchObject({ status: 'completed', stop_reason: 'answered', steps: 2 })
    expect(reported.world.ran).toEqual([])
    expect(JSON.stringify(await reported.thread.messages())).not.toContain('"t1"')
    await mayContinue(reported)
  })

  it('is refused halfway stays for readers, and is never sent back to the model', async () => {
    const output = { content: [{ type: 'text', text: 'First you take the' }] }
    const reported = await play([{ ...output, stop: 'refusal', stopDetails: { category: 'cyber' } }, OK])
    expect(reported.receipt).toMatchObject({ status: 'completed', stop_reason: 'refused' })
    const completed = reported.events.find(({ type }) => type === 'message.completed')
    expect(completed).toMatchObject({ model_stop: 'refusal', message: output })
    expect((await reported.thread.messages()).at(-1)).toMatchObject(output)
    expect(reported.events.filter(({ type }) => type === 'text.delta')).toMatchObject([
      { text: 'First you take the' },
    ])
    await mayContinue(reported)
    expect(reported.recorder.exchanges.at(-1)?.raw).not.toContain('First you')
  })

  it('is empty after results is retried once, then is an answer', async () => {
    const reported = await play([CALL, { content: [] }, { content: [] }, OK])
    expect(reported.receipt).toMatchObject({ status: 'completed', stop_reason: 'answered', steps: 3 })
    expect(await text(reported)).toBe('')
    await mayContinue(reported)
  })

  it('pauses is sent back unchanged, and continues', async () => {
    const pause: Reply = { content: [{ type: 'text', text: 'Still at it.' }], stop: 'pause_turn' }
    const reported = await play([pause, pause, OK, OK])
    expect(reported.receipt).toMatchObject({ status: 'completed', steps: 3 })
    const sent = JSON.parse(reported.recorder.exchanges[2]?.raw ?? '') as { messages: { role: string }[] } // the cast is safe: Satchel sent this request
    expect(sent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    await mayContinue(reported)
  })

  it('contains an unknown block is kept unchanged', async () => {
    const content = [
      { type: 'hologram', light: [1, 2] },
      { type: 'text', text: 'There.' },
    ]
    const insert = [{ at: 3, event: 'sparkle', data: { type: 'sparkle' } }]
    const reported = await play([{ content, insert }, OK])
    expect((await reported.thread.messages()).at(-1)?.content).toEqual(content)
    await mayContinue(reported)
  })

  it('reports no usage is charged its input and what its time allows', async () => {
    const { receipt } = await play([{ ...OK, usage: { start: null, last: null } }])
    expect(receipt.usage.cost_usd).toBeNull()
    expect(receipt.charged.tokens).toBeGreaterThan(800)
    expect(receipt.charged.usd).toBeGreaterThan(0.01)
    expect(receipt.charged.estimated).toBe(true)
  })
})

const ERROR: WireEvent = {
  event: 'error',
  data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
}

function deepened({ event, data }: WireEvent): WireEvent {
  if (event !== 'content_block_delta') return { event, data }
  const partial_json = `{"to":${'['.repeat(4_000)}${']'.repeat(4_000)}}`
  return { event, data: { index: 0, delta: { type: 'input_json_delta', partial_json } } }
}

function garbled(event: WireEvent): WireEvent {
  const json = JSON.stringify(event.data)
  return { ...event, data: json.replace(/("partial_json":")/, '$1}{') }
}
