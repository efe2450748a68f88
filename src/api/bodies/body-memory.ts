// Limits the memory for request bodies that an isolate is reading. When the memory is full, a body of the sender that holds the most
// is displaced, so that other senders are not refused.

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
  readonly startedAt: number
  bytes: number
  /** When the last bytes of the body arrived. */
  lastChunkAt: number
  /** The pool that holds the body, or null if the body has ended or lost its memory. */
  pool: Pool | null
}

export interface BodyReservation {
  /** Reserves memory for this many bytes of the body in total. Returns false if no memory is free, or if the body was displaced. */
  reserve(bytes: number): boolean
  end(): void
}

/** Small bodies have a separate limit, because most messages are small and large bodies must not displace them. */
export interface BodyMemoryLimits {
  readonly smallBytes: number
  readonly largeBytes: number
}

export class BodyMemory {
  readonly #now: Clock
  readonly #smallPool: Pool
  readonly #largePool: Pool

  constructor(
    now: Clock,
    { smallBytes: small, largeBytes: large }: BodyMemoryLimits = {
      smallBytes: SMALL_BODIES_TOTAL_MAX_BYTES,
      largeBytes: LARGE_BODIES_TOTAL_MAX_BYTES,
    },
  ) {
    this.#now = now
    this.#smallPool = new Pool(small)
    this.#largePool = new Pool(large)
  }

  begin(sender: Sender, onDisplaced: () => void): BodyReservation {
    const now = this.#now()
    const body: Body = {
      sender,
      onDisplaced,
      startedAt: now,
      bytes: 0,
      lastChunkAt: now,
      pool: this.#smallPool,
    }
    this.#smallPool.add(body)
    return {
      reserve: (bytes) => this.#reserve(body, bytes),
      end: () => {
        body.pool?.drop(body)
      },
    }
  }

  #reserve(body: Body, bytes: number): boolean {
    const now = this.#now()
    body.lastChunkAt = now
    if (body.pool === null) return false
    const pool = bytes > SMALL_BODY_MAX_BYTES ? this.#largePool : body.pool
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

  /**
   * Displaces bodies until the limit is kept. Returns false if no body may be displaced for `requestingBody`.
   */
  makeRoom(requestingBody: Body, now: number): boolean {
    if (this.#bytes > this.#max) this.#dropCutOff(now)
    while (this.#bytes > this.#max) {
      const body = this.#bodyToEvict(requestingBody, now)
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

  /** Drops the bodies of requests that were cut off. Their readers send no notification, but would have given up by then. */
  #dropCutOff(now: number): void {
    for (const body of this.#bodies)
      if (now - body.lastChunkAt > 2 * BODY_SILENCE_MAX_MS) this.#displace(body)
  }

  /**
   * The body to displace: the oldest body of the sender that holds the most memory, compared first by kind of
   * credential, then by workspace, key or hook, and network. If `requestingBody` is from that sender, only a
   * slow body qualifies. Null if there is none.
   */
  #bodyToEvict(requestingBody: Body, now: number): Body | null {
    let candidates: readonly Body[] = [...this.#bodies]
    for (const level of requestingBody.sender.path.keys()) {
      const bytesByName = new Map<string, number>()
      for (const { sender, bytes } of candidates) {
        const name = sender.path[level] ?? ''
        const weight = sender.path[0] === 'hook' ? HOOK_BODY_WEIGHT : 1
        bytesByName.set(name, (bytesByName.get(name) ?? 0) + weight * bytes)
      }
      const requestingName = candidates.includes(requestingBody)
        ? requestingBody.sender.path[level]
        : undefined
      // On a tie, the sender of the requesting body keeps its memory.
      const [largest] = [...bytesByName].toSorted(
        ([a, x], [b, y]) => y - x || Number(a === requestingName) - Number(b === requestingName),
      )
      candidates = candidates.filter(({ sender }) => sender.path[level] === largest?.[0])
    }
    if (!candidates.includes(requestingBody)) return candidates[0] ?? null
    return candidates.find((body) => body !== requestingBody && isSlow(body, now)) ?? null
  }
}

function isSlow({ startedAt, bytes }: Body, now: number): boolean {
  const ageMs = now - startedAt
  return ageMs >= BODY_DISPLACEABLE_AFTER_MS && bytes < (ageMs / 1000) * BODY_DISPLACED_BELOW_BYTES_PER_S
}
