// Promise: a call is stopped, and not retried, only if its time is over and it blocks workerd. A call is not stopped
// if it is late because the machine is busy, because another call had the thread, or while workerd still answers.

import { describe, expect, test } from 'vitest'

import {
  CALL_GRACE_MS,
  LATE_CALL_FORGET_MS,
  CALL_SILENCE_MS,
  CALL_STARVED_MAX_MS,
  HEALTH_POLL_MS,
  STOPPED_CALL_MS,
  STOPPED_CALLS_MAX,
} from '../../../scripts/start/limits.ts'
import { AnnouncedCalls, type AnnouncedCall } from '../../../scripts/start/calls.ts'

const MS = 10_000
const call = (key: string, ms = MS): AnnouncedCall => ({ key, ms })

/** A supervisor that polls every HEALTH_POLL_MS. */
class Rig {
  readonly calls = new AnnouncedCalls()
  at = 0
  starved = 0
  #id = 0

  begin(key: string, ms = MS): number | null {
    this.#id += 1
    return this.calls.onStart(this.#id, call(key, ms), this.at, this.starved) ? this.#id : null
  }

  end(id: number | null): void {
    this.calls.onEnd(id ?? 0, this.at, this.starved)
  }

  /**
   * Polls for `forMs` a workerd that answers or does not, and that spends the share `starved` of its time waiting for a
   * processor.
   */
  check(forMs: number, { answers = false, starved = 0 } = {}): readonly AnnouncedCall[] {
    for (const end = this.at + forMs; this.at < end;) {
      this.at += HEALTH_POLL_MS
      this.starved += starved * HEALTH_POLL_MS
      const late = this.calls.check(this.at, this.starved)
      if (late.length > 0) return late
      this.calls.expectResponse()
      if (answers) this.calls.onResponse()
    }
    return []
  }
}

describe('a call in progress', () => {
  test('is stopped once its time and the grace period are over and nothing answers', () => {
    const rig = new Rig()
    rig.begin('a')
    expect(rig.check(10 * MS)).toEqual([call('a')])
    expect(rig.at).toBe(MS + CALL_GRACE_MS)
  })

  test('is not stopped while workerd answers, however late it is, and is dropped after a while', () => {
    const rig = new Rig()
    rig.begin('a')
    expect(rig.check(MS + LATE_CALL_FORGET_MS, { answers: true })).toEqual([])
    expect(rig.calls.hasCalls).toBe(true)
    rig.check(2 * HEALTH_POLL_MS, { answers: true })
    expect(rig.calls.hasCalls).toBe(false)
    expect(rig.check(10 * MS)).toEqual([])
  })

  test('that begins to spin when it is already late is stopped after a short silence', () => {
    const rig = new Rig()
    rig.begin('a')
    rig.check(2 * MS, { answers: true })
    expect(rig.check(MS)).toEqual([call('a')])
    expect(rig.at).toBeLessThanOrEqual(2 * MS + CALL_SILENCE_MS + HEALTH_POLL_MS)
  })

  test('that has ended is not blamed', () => {
    const rig = new Rig()
    rig.end(rig.begin('a'))
    expect(rig.check(10 * MS)).toEqual([])
  })

  test('is timed by workerd’s own clock: waiting for a processor does not count', () => {
    const rig = new Rig()
    rig.begin('a', 2_000)
    expect(rig.check(10 * MS, { starved: 0.5 })).toEqual([call('a', 2_000)])
    expect(rig.at).toBe(2 * (2_000 + CALL_GRACE_MS))
    // Up to a limit, because everybody waits for a call that spins. Unless workerd had no time at all to answer.
    const busy = new Rig()
    busy.begin('a')
    expect(busy.check(10 * MS, { starved: 0.5 })).toEqual([call('a')])
    expect(busy.at).toBe(MS + CALL_STARVED_MAX_MS)
    const starving = new Rig()
    starving.begin('a')
    expect(starving.check(100 * MS, { starved: 1 })).toEqual([])
  })

  test('is not judged by a supervisor that was suspended', () => {
    const rig = new Rig()
    rig.begin('a')
    rig.check(MS, { answers: true })
    rig.calls.expectResponse()
    rig.at += 3_600_000
    expect(rig.check(HEALTH_POLL_MS - 1)).toEqual([])
  })

  test('has its full time: until it is late, no other check may treat the silence as a hang', () => {
    const rig = new Rig()
    expect(rig.calls.hasCallInTime).toBe(false)
    rig.begin('a')
    rig.check(MS)
    expect(rig.calls.hasCallInTime).toBe(true)
    rig.check(CALL_GRACE_MS)
    expect(rig.calls.hasCallInTime).toBe(false)
  })
})

describe('of several calls in progress', () => {
  test('those are stopped whose time is over', () => {
    const rig = new Rig()
    rig.begin('a')
    rig.begin('b')
    rig.begin('c', 2 * MS)
    expect(rig.check(10 * MS)).toEqual([call('a'), call('b')])
    rig.calls.forgetAll()
    expect([rig.begin('a'), rig.begin('b')]).toEqual([null, null])
    expect(rig.begin('c', 2 * MS)).not.toBeNull()
  })

  test('one that waited for another to yield the thread has its own time afterwards', () => {
    const rig = new Rig()
    rig.begin('a')
    const before = rig.begin('b')
    const heldMs = 8_000
    rig.check(heldMs)
    rig.end(before)
    const from = rig.at
    expect(rig.check(10 * MS)).toEqual([call('a')])
    // The first poll sends a request; only its missing answer afterwards counts as silence.
    expect(rig.at - from).toBe(MS + CALL_GRACE_MS - HEALTH_POLL_MS)
  })

  test('one that began after the silence gets no additional time', () => {
    const rig = new Rig()
    const before = rig.begin('a')
    rig.check(8_000)
    rig.begin('b')
    const from = rig.at
    rig.end(before)
    expect(rig.check(10 * MS)).toEqual([call('b')])
    expect(rig.at - from).toBe(MS + CALL_GRACE_MS)
  })
})

describe('a stopped call', () => {
  function stopped(rig: Rig, key: string): void {
    rig.begin(key)
    expect(rig.check(10 * MS)).toEqual([call(key)])
    rig.calls.forgetAll()
  }

  test('is refused for some hours, even by the next workerd; others are not', () => {
    const rig = new Rig()
    stopped(rig, 'a')
    const from = rig.at
    expect(rig.begin('a')).toBeNull()
    expect(rig.begin('b')).not.toBeNull()
    rig.at = from + STOPPED_CALL_MS - 1
    expect(rig.begin('a')).toBeNull()
    rig.at = from + STOPPED_CALL_MS
    expect(rig.begin('a')).not.toBeNull()
  })

  test('is not remembered when workerd ended for another reason', () => {
    const rig = new Rig()
    rig.begin('a')
    rig.check(MS)
    rig.calls.forgetAll()
    expect(rig.calls.hasCalls).toBe(false)
    expect(rig.check(10 * MS)).toEqual([])
    expect(rig.begin('a')).not.toBeNull()
  })

  test('is one of a limited number: the oldest is dropped first', () => {
    const rig = new Rig()
    for (let at = 0; at <= STOPPED_CALLS_MAX; at++) rig.begin(`${at}`, 0)
    expect(rig.check(10 * MS)).toHaveLength(STOPPED_CALLS_MAX + 1)
    expect(rig.begin('0')).not.toBeNull()
    expect(rig.begin('1')).toBeNull()
  })
})
