// Limits the memory for request bodies that an isolate is reading. When it is full, the sender that holds the most gives way, so that
// other senders are not refused.

import type { Clock } from '../../lib/clock.ts'
import {
  LARGE_BODIES_TOTAL_MAX_BYTES,
  SMALL_BODIES_TOTAL_MAX_BYTES,
  BODY_DISPLACEABLE_AFTER_MS,
  BODY_DISPLACED_BELOW_BYTES_PER_S,
  HOOK_BODY_WEIGHT,
  BODY_MIN_MEMORY_BYTES,
  BODY_SILENCE_MAX_MS,
  SMALL_BODY_MAX_BYTES,
} from './limits.ts'
import { markUnfinished, type Sender } from '../admission/sender.ts'

interface Body {
  readonly sender: Sender
  /** Called when the body loses its memory. Its reader then gives up. */
  readonly onDisplaced: () => void
  readonly began: number
  bytes: number
  /** When its last bytes arrived. */
  at: number
  /** The pool that holds the body, or null if the body has ended or lost its memory. */
  pool: Pool | null
}

export interface BodyReservation {
  /** Reserves memory for a body of this size in bytes. Returns false if it is not available, or if the body had to give way. */
  has(bytes: number): boolean
  end(): void
}

/** Small bodies have a separate limit, because most messages are small and large bodies must not displace them. */
export interface BodyMemoryLimits {
  readonly small: number
  readonly large: number
}

export class BodyMemory {
  readonly #now: Clock
  readonly #small: Pool
  readonly #large: Pool

  constructor(
    now: Clock,
    { small, large }: BodyMemoryLimits = {
      small: SMALL_BODIES_TOTAL_MAX_BYTES,
      large: LARGE_BODIES_TOTAL_MAX_BYTES,
    },
  ) {
    this.#now = now
    this.#small = new Pool(small)
    this.#large = new Pool(large)
  }

  begin(sender: Sender, onDisplaced: () => void): BodyReservation {
    const now = this.#now()
    const body: Body = { sender, onDisplaced, began: now, bytes: 0, at: now, pool: this.#small }
    this.#small.add(body)
    return {
      has: (bytes) => this.#has(body, bytes),
      end: () => {
        body.pool?.drop(body)
      },
    }
  }

  #has(body: Body, bytes: number): boolean {
    const now = this.#now()
    body.at = now
    if (body.pool === null) return false
    const pool = bytes > SMALL_BODY_MAX_BYTES ? this.#large : body.pool
    if (pool !== body.pool) {
      body.pool.drop(body)
      pool.add(body)
    }
    pool.resize(body, Math.max(bytes, BODY_MIN_MEMORY_BYTES))
    return pool.makeRoom(body, now)
  }
}

class Pool {
  readonly #max: number
  /** In order of arrival, oldest first. */
  readonly #bodies = new Set<Body>()
  #bytes = 0

  constructor(max: number) {
    this.#max = max
  }

  add(body: Body): void {
    this.#bodies.add(body)
    this.#bytes += body.bytes
    body.pool = this
  }

  drop(body: Body): void {
    if (!this.#bodies.delete(body)) return
    this.#bytes -= body.bytes
    body.pool = null
  }

  resize(body: Body, bytes: number): void {
    this.#bytes += bytes - body.bytes
    body.bytes = bytes
  }

  /** Displaces bodies until the limit is kept. Returns false if no body may be displaced for `asking`. */
  makeRoom(asking: Body, now: number): boolean {
    if (this.#bytes > this.#max) this.#dropGone(now)
    while (this.#bytes > this.#max) {
      const body = this.#bodyToEvict(asking, now)
      if (!body) return false
      this.#displace(body)
      body.onDisplaced()
    }
    return true
  }

  #displace(body: Body): void {
    this.drop(body)
    markUnfinished(body.sender)
  }

  /** Drops the bodies of requests that were cut off, which send no notification. After this silence a reader would give up too. */
  #dropGone(now: number): void {
    for (const body of this.#bodies) if (now - body.at > 2 * BODY_SILENCE_MAX_MS) this.#displace(body)
  }

  /**
   * The body to displace: the oldest body of the sender that holds the most memory, compared first by kind of credential, then by
   * workspace, key or hook, and network. If `asking` is from that sender, only a slow body qualifies. Null if there is none.
   */
  #bodyToEvict(asking: Body, now: number): Body | null {
    let group: readonly Body[] = [...this.#bodies]
    for (const level of asking.sender.path.keys()) {
      const sums = new Map<string, number>()
      for (const { sender, bytes } of group) {
        const name = sender.path[level] ?? ''
        const weight = sender.path[0] === 'hook' ? HOOK_BODY_WEIGHT : 1
        sums.set(name, (sums.get(name) ?? 0) + weight * bytes)
      }
      const askingName = group.includes(asking) ? asking.sender.path[level] : undefined
      // On a tie, the sender of `asking` keeps its memory.
      const [largest] = [...sums].toSorted(
        ([a, x], [b, y]) => y - x || Number(a === askingName) - Number(b === askingName),
      )
      group = group.filter(({ sender }) => sender.path[level] === largest?.[0])
    }
    if (!group.includes(asking)) return group[0] ?? null
    return group.find((body) => body !== asking && isSlow(body, now)) ?? null
  }
}

function isSlow({ began, bytes }: Body, now: number): boolean {
  const ageMs = now - began
  return ageMs >= BODY_DISPLACEABLE_AFTER_MS && bytes < (ageMs / 1000) * BODY_DISPLACED_BELOW_BYTES_PER_S
}
