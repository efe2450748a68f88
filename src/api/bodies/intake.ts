// The memory for request bodies that an isolate is reading. When it is full, the sender that holds the most gives way, so that
// other senders are not refused.

import type { Clock } from '../../lib/clock.ts'
import {
  BODIES_LARGE_MAX_BYTES,
  BODIES_SMALL_MAX_BYTES,
  BODY_DISPLACED_MS,
  BODY_FULL_PACE_BYTES_S,
  BODY_HOOK_WEIGHT,
  BODY_LEAST_BYTES,
  BODY_SILENT_MS,
  BODY_SMALL_MAX_BYTES,
} from './limits.ts'
import { didNotEnd, type Sender } from '../admission/sender.ts'

interface Body {
  readonly sender: Sender
  /** Called when the body lost its memory; its reader then gives up. */
  readonly displaced: () => void
  readonly began: number
  bytes: number
  /** When its last bytes arrived. */
  at: number
  /** Null: it has ended, or lost its memory. */
  pool: Pool | null
}

export interface Coming {
  /** False: the memory cannot hold a body of this size (bytes), or the body had to give way. */
  has(bytes: number): boolean
  end(): void
}

/** Small bodies have a separate budget: most messages are small, and large bodies must not displace them. */
export interface IntakeLimits {
  readonly small: number
  readonly large: number
}

export class Intake {
  readonly #now: Clock
  readonly #small: Pool
  readonly #large: Pool

  constructor(
    now: Clock,
    { small, large }: IntakeLimits = { small: BODIES_SMALL_MAX_BYTES, large: BODIES_LARGE_MAX_BYTES },
  ) {
    this.#now = now
    this.#small = new Pool(small)
    this.#large = new Pool(large)
  }

  begin(sender: Sender, displaced: () => void): Coming {
    const now = this.#now()
    const body: Body = { sender, displaced, began: now, bytes: 0, at: now, pool: this.#small }
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
    const pool = bytes > BODY_SMALL_MAX_BYTES ? this.#large : body.pool
    if (pool !== body.pool) {
      body.pool.drop(body)
      pool.add(body)
    }
    pool.resize(body, Math.max(bytes, BODY_LEAST_BYTES))
    return pool.makeRoom(body, now)
  }
}

class Pool {
  readonly #max: number
  /** The oldest first. */
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

  /** False: `asking` itself exceeds the limits. */
  makeRoom(asking: Body, now: number): boolean {
    if (this.#bytes > this.#max) this.#dropGone(now)
    while (this.#bytes > this.#max) {
      const body = this.#toDisplace(asking, now)
      if (!body) return false
      this.#displace(body)
      body.displaced()
    }
    return true
  }

  #displace(body: Body): void {
    this.drop(body)
    didNotEnd(body.sender)
  }

  /** A request that was cut off reports nothing. After this silence its reader would refuse it anyway. */
  #dropGone(now: number): void {
    for (const body of this.#bodies) if (now - body.at > 2 * BODY_SILENT_MS) this.#displace(body)
  }

  /**
   * The oldest body of the sender that holds the most, by kind of credential, workspace, key or hook, and network. If that is
   * the sender of `asking`, only a body that hardly progresses. Null if there is none.
   */
  #toDisplace(asking: Body, now: number): Body | null {
    let group: readonly Body[] = [...this.#bodies]
    for (const level of asking.sender.path.keys()) {
      const sums = new Map<string, number>()
      for (const { sender, bytes } of group) {
        const name = sender.path[level] ?? ''
        const weight = sender.path[0] === 'hook' ? BODY_HOOK_WEIGHT : 1
        sums.set(name, (sums.get(name) ?? 0) + weight * bytes)
      }
      const own = group.includes(asking) ? asking.sender.path[level] : undefined
      // On a tie, the asking sender keeps its memory.
      const [most] = [...sums].toSorted(([a, x], [b, y]) => y - x || Number(a === own) - Number(b === own))
      group = group.filter(({ sender }) => sender.path[level] === most?.[0])
    }
    if (!group.includes(asking)) return group[0] ?? null
    return group.find((body) => body !== asking && hardlyMoves(body, now)) ?? null
  }
}

function hardlyMoves({ began, bytes }: Body, now: number): boolean {
  const ageMs = now - began
  return ageMs >= BODY_DISPLACED_MS && bytes < (ageMs / 1000) * BODY_FULL_PACE_BYTES_S
}
