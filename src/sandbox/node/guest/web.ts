// Web APIs of Node other than text and URLs: events, abort signals, cloning, performance.

import { Event, EventTarget } from 'event-target-shim'
import clone from '@ungap/structured-clone'

import { tried, bytesOf } from './base/host.ts'
import { performance } from './performance.ts'
import { timerFunctions } from './base/timers.ts'
import { DOMException } from './base/web-errors.ts'

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

export class AbortSignal extends EventTarget {
  aborted = false
  reason: unknown = undefined
  onabort: ((event: unknown) => void) | null = null

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal()
    signal.end(reason)
    return signal
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal()
    timerFunctions
      .setTimeout(
        () => signal.end(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
        ms,
      )
      .unref()
    return signal
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const signal = new AbortSignal()
    for (const one of signals) {
      if (one.aborted) signal.end(one.reason)
      one.addEventListener('abort', () => signal.end(one.reason))
    }
    return signal
  }

  [inspectSymbol](
    _depth: unknown,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    return `AbortSignal ${inspect({ aborted: this.aborted }, options)}`
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  end(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const event = new Event('abort')
    this.onabort?.(event)
    this.dispatchEvent(event)
  }
}

export class AbortController {
  readonly signal = new AbortSignal()

  abort(reason?: unknown): void {
    this.signal.end(reason)
  }
}

class CustomEvent extends Event {
  readonly detail: unknown

  constructor(type: string, options: { detail?: unknown } = {}) {
    super(type)
    this.detail = options.detail ?? null
  }
}

function structuredClone(value: unknown): unknown {
  try {
    return clone(value)
  } catch (error) {
    throw new DOMException(
      error instanceof Error
        ? error.message.replace(/^unable to serialize.*$/, `${typeof value} could not be cloned.`)
        : '',
      'DataCloneError',
    )
  }
}

/** Buffered random numbers; the host is asked for many at a time. */
let drawn = new Uint32Array(0)
let next = 0

export function random(): number {
  if (next + 1 >= drawn.length) {
    drawn = new Uint32Array(bytesOf(tried('random', 4_096)).buffer)
    next = 0
  }
  const [high, low] = [(drawn[next] ?? 0) >>> 5, (drawn[next + 1] ?? 0) >>> 6]
  next += 2
  return (high * 67_108_864 + low) / 9_007_199_254_740_992
}

/** Discards numbers generated while the image was built. */
export function forgetRandom(): void {
  next = drawn.length
}

export const webGlobals = {
  AbortController,
  AbortSignal,
  CustomEvent,
  DOMException,
  Event,
  EventTarget,
  performance,
  structuredClone,
  queueMicrotask: (call: () => void) => {
    if (typeof call !== 'function')
      throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
        code: 'ERR_INVALID_ARG_TYPE',
      })
    void Promise.resolve().then(() => {
      try {
        call()
      } catch (error) {
        // Throw outside of any promise, because a rejection would be handled differently.
        timerFunctions.setImmediate(() => {
          throw error
        })
      }
    })
  },
}
