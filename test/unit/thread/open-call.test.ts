// Guards "money has a limit": a row records in time that a call is in progress and what the API reported about its
// prompt, so that a death is charged for seconds. A call that is answered at once writes no row.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NO_TOKENS } from '../../../src/agent/message.ts'
import type { ReportedPrompt } from '../../../src/agent/prompt-cache.ts'
import {
  OPEN_CALL_FIRST_WRITE_MS,
  OPEN_CALL_WRITE_MS,
  OPEN_CALL_DEAD_MS,
} from '../../../src/thread/executor/limits.ts'
import { trackOpenCall, type OpenCall } from '../../../src/thread/executor/open-call.ts'

const SENT = { messages: 1, cacheKey: 'm', at: 0 }
const TOKENS = { ...NO_TOKENS, input_tokens: 9 }

interface Noted {
  readonly at: number
  readonly prompt: ReportedPrompt | null
}

let holdsRun = true
let broken = false
let noted: Noted[] = []

function begun(sent: typeof SENT | null = SENT): OpenCall {
  const renewOpenCall = (_: string, at: number, prompt: ReportedPrompt | null): void => {
    if (broken) throw new Error('the disk is full')
    noted.push({ at, prompt })
  }
  const began = Date.now()
  // The cast is safe: only these methods of the rows are used.
  const runs = { renewOpenCall } as unknown as Parameters<typeof trackOpenCall>[0]['runs']
  return trackOpenCall(
    { runs, ports: { now: () => Date.now() - began } },
    { holdsRun: () => holdsRun },
    'r1',
    sent,
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  ;[holdsRun, broken, noted] = [true, false, []]
})
afterEach(() => vi.useRealTimers())

describe('an open call', () => {
  it('is recorded every few seconds, long before it would be taken for dead', () => {
    begun()
    vi.advanceTimersByTime(60_000)
    expect(noted.map(({ at }) => at)).toEqual(
      Array.from({ length: 60_000 / OPEN_CALL_WRITE_MS }, (_, at) => (at + 1) * OPEN_CALL_WRITE_MS),
    )
    expect(2 * OPEN_CALL_WRITE_MS).toBeLessThan(OPEN_CALL_DEAD_MS)
  })

  it('is recorded with its prompt soon after the API began to answer, and from then on', () => {
    const open = begun()
    vi.advanceTimersByTime(1_000)
    open.onReported(TOKENS)
    expect(noted).toEqual([])
    vi.advanceTimersByTime(OPEN_CALL_WRITE_MS)
    const prompt = { sent: SENT, tokens: TOKENS }
    expect(noted).toEqual([
      { at: 1_000 + OPEN_CALL_FIRST_WRITE_MS, prompt },
      { at: OPEN_CALL_WRITE_MS, prompt },
    ])
  })

  it('records no prompt that is not its full cost', () => {
    begun(null).onReported(TOKENS)
    vi.advanceTimersByTime(OPEN_CALL_WRITE_MS)
    expect(noted).toEqual([{ at: OPEN_CALL_WRITE_MS, prompt: null }])
  })

  it('writes nothing when it is over, or another execution holds its run', () => {
    const open = begun()
    open.onReported(TOKENS)
    open.stop()
    begun().onReported(TOKENS)
    holdsRun = false
    vi.advanceTimersByTime(60_000)
    expect(noted).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('continues when the disk fails', () => {
    begun()
    broken = true
    vi.advanceTimersByTime(OPEN_CALL_WRITE_MS)
    broken = false
    vi.advanceTimersByTime(OPEN_CALL_WRITE_MS)
    expect(noted.map(({ at }) => at)).toEqual([2 * OPEN_CALL_WRITE_MS])
  })
})
