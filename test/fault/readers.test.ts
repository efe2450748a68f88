// Guards "nothing is said twice": every reader, whether it reads from the start, late, again or slowly, ends with the
// same transcript, and no reader delays the run or another reader.
import { describe, expect, it } from 'vitest'
import { isTerminal, type Event } from '../../src/agent/events.ts'
import type { Block } from '../../src/agent/message.ts'
import type { Model } from '../../src/agent/model.ts'
import {
  EVENT_PAGE_ROWS,
  READERS_QUEUED_MAX_BYTES,
  RESERVED_EVENT_NUMBERS,
  SSE_READERS_MAX,
} from '../../src/thread/events/limits.ts'
import { isolateBacklog, FrameQueue, newSharedFrame } from '../../src/thread/events/backlog.ts'
import { read, Reader } from './reader.ts'
import { BUDGET, cursors, failure, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { answer, answersSince, ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { tool, World } from './world.ts'

/** A model that says one part at a time, as far as the gate allows. */
class Gate {
  allowed = 0
  readonly #parts: readonly string[]

  constructor(...parts: string[]) {
    this.#parts = parts
  }

  get content(): readonly Block[] {
    return [text(this.#parts.join(''))]
  }

  readonly turn: Turn = {
    act: async (_, onDelta) => {
      for (const [at, part] of this.#parts.entries()) {
        while (this.allowed <= at) await scheduler.wait(1)
        await onDelta({ type: 'text', block: 0, text: part })
      }
      while (this.allowed <= this.#parts.length) await scheduler.wait(1)
      return answer({ content: this.content })
    },
  }

  open(): void {
    this.allowed = Number.POSITIVE_INFINITY
  }
}

const words = (event: Event): boolean => event.type === 'text.delta'

describe('readers of a run', () => {
  it('during a read call learn that it has started, and get all of its events once', async () => {
    const gate = { open: false, begun: false }
    const look = tool('look', 'read', async () => {
      gate.begun = true
      while (!gate.open) await scheduler.wait(1)
      return { content: 'seen', isError: false }
    })
    const model = new ScriptedModel([{ content: [use('t1', 'look')] }, { content: [text('Done.')] }])
    const thread = new TestThread({ ...speaks(model), tools: () => [look] })
    const { run_id } = await thread.start('Go.')
    await eventually(
      () => gate.begun,
      (yes) => yes,
    )
    const begun = (event: Event): boolean => event.type === 'tool.started'
    const late = await read(await thread.stream(run_id), begun)
    expect(late.events.at(-1)).toMatchObject({ type: 'tool.started', tool_use_id: 't1' })
    gate.open = true
    await thread.ended(run_id)
    const whole = await thread.checkEnded(run_id, 2)
    expect(whole.filter(begun)).toHaveLength(1)
    expect(whole.slice(0, late.events.length)).toEqual(late.events)
  })

  it('see consecutive numbers while nothing disturbs the run', async () => {
    const world = new World()
    const model = new ScriptedModel([
      { content: [text('First I look.'), use('t1', 'look'), use('t2', 'put')] },
      { content: [{ type: 'thinking', thinking: 'So.', signature: 's' }, text('That is all 😀😀 of it.')] },
    ])
    const gate = { open: false }
    const ready: Model = {
      call: async (...requested) => {
        while (!gate.open) await scheduler.wait(1)
        return model.call(...requested)
      },
    }
    const thread = new TestThread({ ...speaks(ready), tools: () => world.tools })
    const { run_id, events } = await thread.start('Go.', { follow: true })
    // Once another reader has its first frames, the first one is following too.
    await read(await thread.stream(run_id), ({ type }) => type === 'step.started')
    gate.open = true
    const isLive = await read(events)
    expect(isLive.end).toBe('closed')
    expect(isLive.events.map(({ seq, from }) => [seq, from])).toEqual(
      isLive.events.map((_, at) => [at + 1, undefined]),
    )
    const kinds = isLive.events.map(({ type }) => type)
    expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual([
      'run.accepted',
      'thread.titled',
      'run.started',
      'step.started',
      'text.delta',
      'message.completed',
      'tool.started',
      'tool.completed',
      'tool.started',
      'tool.completed',
      'step.started',
      'thinking.delta',
      'text.delta',
      'message.completed',
      'run.completed',
    ])
    // The live stream and the replay are equal, except that the replay may merge neighbouring deltas.
    const replay = await thread.checkEnded(run_id, 2)
    const others = (events: readonly Event[]): readonly Event[] =>
      events.filter(({ type }) => !type.endsWith('.delta'))
    const untiled = (event: Event): unknown => ({ ...event, from: null })
    expect(others(replay).map(untiled)).toEqual(others(isLive.events).map(untiled))
    const seen = new Reader(0).apply(isLive.events)
    expect(seen.problems).toEqual([])
    expect(seen.transcript()).toEqual(new Reader(0).apply(replay).transcript())
  })

  it('that join in the middle of a word get the text so far, then the rest', async () => {
    const gate = new Gate('A😀b', 'c😀', 'd')
    const thread = new TestThread(speaks(new ScriptedModel([gate.turn])))
    const { run_id, events } = await thread.start('Go.', { follow: true })
    const isLive = read(events)
    gate.allowed = 1
    const { events: begin } = await read(await thread.stream(run_id), words)
    expect(begin.at(-1)).toMatchObject({ type: 'text.delta', offset: 0, text: 'A😀b' })
    gate.allowed = 2
    const { events: more } = await read(await thread.stream(run_id, begin.at(-1)?.seq), words)
    expect(more.at(-1)?.type).toBe('text.delta')
    const [late, mid] = [await thread.stream(run_id), await thread.stream(run_id, begin.at(-1)?.seq)]
    gate.open()
    for (const [stream, had] of [
      [late, []],
      [mid, begin],
    ] as const) {
      const seen = new Reader(0).apply(had).apply((await read(stream)).events)
      expect(seen.problems).toEqual([])
      expect(seen.transcript()).toEqual([gate.content])
      expect(seen.terminal?.type).toBe('run.completed')
    }
    expect(new Reader(0).apply((await isLive).events).problems).toEqual([])
    await thread.checkEnded(run_id, 1)
  })

  it('see text at once when the run waited in the queue and got a notice first', async () => {
    const gates = [new Gate('One.'), new Gate('Two', ' and more.')]
    const thread = new TestThread(speaks(new ScriptedModel((_, call) => gates[call]?.turn ?? {})))
    await thread.start('First.')
    const next = await thread.start('Second.', { onBusy: 'enqueue', follow: true })
    gates[0]?.open()
    const second = gates[1]
    if (second) second.allowed = 1
    // The model has not finished, so the arrival of its first word shows that nothing waits for its last.
    const { events } = await read(next.events, words)
    expect(events.at(-1)).toMatchObject({ type: 'text.delta', text: 'Two', run_id: next.run_id })
    second?.open()
    await thread.ended(next.run_id)
  })

  it('of the whole thread get every number once, even if runs are accepted while another streams', async () => {
    const gates = [new Gate('I speak', ' and go on.'), new Gate('And I.')]
    const model = new ScriptedModel((_, call) => gates[call]?.turn ?? {})
    const thread = new TestThread(speaks(model))
    const first = await thread.start('First.')
    const early = await thread.stream(null)
    if (gates[0]) gates[0].allowed = 1
    await read(await thread.stream(first.run_id), words)
    const next = await thread.start('Second.', { onBusy: 'enqueue' })
    // The newest row is newer than the words, which have no row yet.
    const late = await thread.stream(null)
    for (const gate of gates) gate.open()
    await thread.ended(next.run_id)
    const last = (event: Event): boolean => event.run_id === next.run_id && isTerminal(event.type)
    for (const stream of [early, late]) {
      const { events } = await read(stream, last)
      const seen = events.filter(words).filter((event) => event.run_id === first.run_id)
      expect(seen.map((event) => ('text' in event ? event.text : '')).join('')).toBe('I speak and go on.')
      expect(tiling(events)).toEqual([])
    }
    const whole = await thread.threadReplay(next.run_id)
    expect(tiling(whole)).toEqual([])
    for (const after of cursors(whole).filter((cursor) => cursor < (whole.at(-1)?.seq ?? 0)))
      expect(tiling(await thread.threadReplay(next.run_id, after), after), `after ${after}`).toEqual([])
    expect(model.problems).toEqual([])
  })

  it('of the whole thread miss no number when a tool reports its progress before they join', async () => {
    const gate = { begin: false, open: false }
    const tools = [
      tool('look', 'read', async (_, { progress }) => {
        while (!gate.begin) await scheduler.wait(1)
        progress('half way')
        while (!gate.open) await scheduler.wait(1)
        return { content: 'seen', isError: false }
      }),
    ]
    const model = new ScriptedModel([{ content: [use('t1', 'look')] }, { content: [text('Done.')] }])
    const thread = new TestThread({ ...speaks(model), tools: () => tools })
    const { run_id, events } = await thread.start('Go.', { follow: true })
    const begun = ({ type }: Event): boolean => type === 'tool.started'
    await read(await thread.stream(run_id), begun)
    gate.begin = true
    const { events: seen } = await read(events, ({ type }) => type === 'tool.progress')
    expect(seen.at(-1)).toMatchObject({ tool_use_id: 't1', text: 'half way' })
    // The reader connects when all rows are older than that word, and follows live before a newer row exists.
    const late = read(await thread.stream(null), ({ type }) => isTerminal(type))
    await read(await thread.stream(null), begun)
    gate.open = true
    const { events: rest } = await late
    expect(rest.some(({ type }) => type === 'tool.progress')).toBe(false)
    expect(tiling(rest)).toEqual([])
    await thread.checkEnded(run_id, 2)
  })

  it('that return between any two frames continue at the very next number', async () => {
    const model = new ScriptedModel([
      {
        content: [{ type: 'thinking', thinking: 'So.', signature: 's' }, text('I look.'), use('t1', 'look')],
      },
      { content: [text('That is all.')] },
    ])
    const thread = new TestThread({ ...speaks(model), tools: () => new World().tools })
    const { run_id } = await thread.start('Go.')
    await thread.ended(run_id)
    const frames = await thread.threadReplay(run_id)
    for (const { seq } of frames.slice(0, -1)) {
      const [next] = await thread.threadReplay(run_id, seq)
      expect([seq, next?.from ?? next?.seq]).toEqual([seq, seq + 1])
    }
  })

  it('that return after the end get the end again, and a close', async () => {
    const thread = new TestThread(speaks(new ScriptedModel([{ content: [text('Done.')] }])))
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    const whole = await thread.replay(run_id)
    const last = whole.at(-1)?.seq ?? 0
    for (const after of [0, 1, last - 1, last]) {
      const again = await read(await thread.stream(run_id, after))
      expect(again.end).toBe('closed')
      expect(again.events.at(-1)).toEqual(whole.at(-1))
      expect(again.events.filter(({ type }) => isTerminal(type))).toHaveLength(1)
    }
    const ahead = await thread.api.events(thread.caller, run_id, last + 1)
    expect(failure(ahead).code).toBe('cursor_ahead')
    expect(failure(await thread.api.events(thread.caller, 'run_nobody', null)).code).toBe('not_found')
  })

  it('get a run of more events than one read returns, without a gap', async () => {
    const steps = 130
    const model = new ScriptedModel((request) => {
      const step = answersSince(request)
      return { content: [text('On.'), ...(step < steps ? [use(`t${step}`, 'look', { step })] : [])] }
    })
    const thread = new TestThread({ ...speaks(model), tools: () => new World().tools })
    const budget = { ...BUDGET, steps: steps + 1, tool_calls: steps }
    const { run_id } = await thread.start('Go.', { budget })
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed', steps: steps + 1 })
    const whole = await thread.checkEnded(run_id, steps + 1)
    expect(whole.length).toBeGreaterThan(EVENT_PAGE_ROWS)
    expect(tiling(whole)).toEqual([])
  })

  it('get a run of more numbers than are reserved at a time, live and complete', async () => {
    const long = 'abcd'.repeat(RESERVED_EVENT_NUMBERS + 100)
    const thread = new TestThread(speaks(new ScriptedModel([{ content: [text(long)] }])))
    const { run_id, events } = await thread.start('Go.', { follow: true })
    const isLive = new Reader(0).apply((await read(events)).events)
    expect(isLive.problems).toEqual([])
    expect(isLive.transcript()).toEqual([[text(long)]])
    await thread.checkEnded(run_id, 1)
  })
})

describe('a reader that does not read', () => {
  it('is disconnected, returns for the rest, and delays nobody', async () => {
    const part = 'x'.repeat(100_000)
    const model = new ScriptedModel((request) => ({
      act: async (_, onDelta) => {
        const step = answersSince(request)
        await onDelta({ type: 'text', block: 0, text: part })
        await scheduler.wait(5)
        const more = step < 30 ? [use(`t${step}`, 'look', { step })] : []
        return answer({ content: [text(part), ...more] })
      },
    }))
    const thread = new TestThread({ ...speaks(model), tools: () => new World().tools })
    const budget = { ...BUDGET, steps: 50 }
    const { run_id, events: frozen } = await thread.start('Go.', { follow: true, budget })
    const busy = await read(await thread.stream(run_id))
    expect(busy.events.at(-1)?.type).toBe('run.completed')
    const rest = await read(frozen)
    expect(rest.events.some(({ type }) => isTerminal(type))).toBe(false)
    const reader = new Reader(0).apply(rest.events)
    reader.apply((await read(await thread.stream(run_id, reader.cursor))).events)
    expect(reader.problems).toEqual([])
    expect(reader.transcript()).toHaveLength(31)
    expect(reader.terminal?.type).toBe('run.completed')
  })

  it('is disconnected when another thread needs the memory that all threads of an isolate share', async () => {
    const part = 'x'.repeat(10_000)
    const gate = { open: false, greed: false }
    /** Speaks until `enough` of it is not taken: what is in transit to a reader does not count. */
    const speaker = (ready: () => boolean, enough: () => boolean): Model => ({
      call: async (_, onDelta) => {
        while (!ready()) await scheduler.wait(1)
        let output = ''
        for (let at = 0; at < 5_000 && !enough(); at++) {
          await onDelta({ type: 'text', block: 0, text: part })
          output += part
          await scheduler.wait(0)
        }
        while (!gate.open) await scheduler.wait(1)
        return answer({ content: [text(output)] })
      },
    })
    const waits = 500_000
    const before = isolateBacklog.bytes
    const filled = (): boolean => isolateBacklog.bytes - before > waits
    const slow = new TestThread(
      speaks(
        speaker(
          () => true,
          () => filled(),
        ),
      ),
    )
    const frozen = await slow.start('Go.', { follow: true })
    await eventually(filled, (full) => full)
    // Readers that are less far behind take nearly all of the budget.
    const ballast = Array.from({ length: 1_000 }, () => new FrameQueue(isolateBacklog, () => undefined))
    const room = READERS_QUEUED_MAX_BYTES - isolateBacklog.bytes - 50_000
    const bytes = new Uint8Array(Math.floor(room / ballast.length))
    for (const queue of ballast) queue.push(newSharedFrame(bytes))
    const cutOff = (): boolean => isolateBacklog.bytes < READERS_QUEUED_MAX_BYTES - waits / 2
    const greedy = new TestThread(speaks(speaker(() => gate.greed, cutOff)))
    const other = await greedy.start('Go.', { follow: true })
    gate.greed = true
    await eventually(cutOff, (cut) => cut)
    const cut = await read(frozen.events)
    expect(cut.end).toBe('closed')
    expect(cut.events.some(({ type }) => isTerminal(type))).toBe(false)
    for (const queue of ballast) queue.clear()
    gate.open = true
    expect((await read(other.events)).events.at(-1)?.type).toBe('run.completed')
    expect((await read(await slow.stream(frozen.run_id))).events.at(-1)?.type).toBe('run.completed')
  })

  it('beyond the limit is refused, and so is a message that wants a stream, before it is accepted', async () => {
    const thread = new TestThread(speaks(new ScriptedModel(() => ({ content: [text('Done.')] }))))
    const { run_id } = await thread.start()
    await thread.ended(run_id)
    const streams = []
    for (let at = 0; at < SSE_READERS_MAX; at++) streams.push(await thread.stream(null))
    expect(failure(await thread.api.events(thread.caller, null, null)).code).toBe('overloaded')
    expect((await thread.refused('More.', { follow: true })).code).toBe('overloaded')
    expect(value(await thread.api.receipts(thread.caller, null, 10)).data).toHaveLength(1)
    const quiet = await thread.start('More.')
    expect(await thread.ended(quiet.run_id)).toMatchObject({ status: 'completed' })
    await Promise.all(streams.map((stream) => stream.cancel()))
    await eventually(
      () => thread.api.events(thread.caller, run_id, null),
      (answered) => answered.ok,
    )
  })
})

/** Numbers that are missing or repeated. */
function tiling(events: readonly Event[], after = 0): readonly string[] {
  let cursor = after
  return events.flatMap(({ type, seq, from = seq }) => {
    const fine = seq > cursor && from <= cursor + 1
    const problem = fine ? [] : [`${type} ${from}..${seq} after ${cursor}`]
    cursor = seq
    return problem
  })
}
