// Combines requests of one key that wait at the same time into one call, because a call of an object costs more than what it does
// for one of them. A request that waits for nobody is a call of its own.

import type { Clock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { RequestQueue } from './request-queue.ts'

export interface BatchRules<Item> {
  /** Maximum number of items in a call. */
  readonly itemsMax: number
  /** Maximum total size of the items in a call, in bytes. A larger item is a call of its own. */
  readonly bytesMax: number
  /** How long an item waits for the call of another request, which may have been cut off, before it is sent again (ms). */
  readonly retryAfterMs: number
  /** After this time, an item that still waits is one of a request that was cut off (ms). */
  readonly waitMaxMs: number
  /** Maximum total size of all items that wait, in bytes. */
  readonly waitingMaxBytes: number
  readonly sizeOf: (item: Item) => number
}

/** Makes one call for several items, and returns one result for each, in order. */
type Send<Item, Value> = (items: readonly Item[]) => Promise<readonly Value[]>

interface Entry<Item, Value> {
  readonly item: Item
  /** Epoch milliseconds. */
  readonly since: number
  isTaken: boolean
  readonly outcome: PromiseWithResolvers<Value>
}

export class Batches<Item, Value> {
  readonly #queue: RequestQueue
  readonly #rules: BatchRules<Item>
  /** Items that no call has taken yet, by key and in order. */
  readonly #waiting = new Map<string, Set<Entry<Item, Value>>>()

  #waitingBytes = 0
  readonly #now: Clock

  constructor(queue: RequestQueue, rules: BatchRules<Item>, now: Clock) {
    this.#queue = queue
    this.#rules = rules
    this.#now = now
  }

  /**
   * Returns the result of this item. `send` must be safe to repeat for an item. `keepAlive` gets work that must go on even if the
   * client of this request disconnects, because other requests wait for it.
   */
  async run(
    key: string,
    item: Item,
    send: Send<Item, Value>,
    keepAlive: (work: Promise<unknown>) => void,
  ): Promise<Result<Value>> {
    this.#dropAbandoned()
    const { sizeOf, waitingMaxBytes, retryAfterMs } = this.#rules
    if (this.#waitingBytes + sizeOf(item) > waitingMaxBytes)
      return fail('overloaded', 'Too many large requests are waiting. Try again later.', { retryAfterS: 2 })
    const entry: Entry<Item, Value> = {
      item,
      since: this.#now(),
      isTaken: false,
      outcome: Promise.withResolvers(),
    }
    // The only reaction to the promise: another request settles it, and the runtime warns if it drops one when this request ends.
    const outcome = entry.outcome.promise.then(ok, () => null)
    this.#join(key, entry)
    const turn = this.#queue
      .run(key, async () => {
        if (!entry.isTaken) await this.#sendBatch(this.#take(key, entry), send)
        return ok(null)
      })
      .finally(() => this.#leave(key, entry))
    keepAlive(turn)
    const admitted = await turn
    if (!admitted.ok && !entry.isTaken) return admitted
    const settled = await withTimeout(retryAfterMs, outcome)
    if (settled) return settled
    // The call failed or was cut off, maybe because of another item.
    return this.#queue.run(key, async () => {
      const [value] = await send([item])
      if (value === undefined) throw new Error('The call returned no result.')
      return ok(value)
    })
  }

  /** Takes `first`, and as many of the items that wait with it as fit into a call. */
  #take(key: string, first: Entry<Item, Value>): readonly Entry<Item, Value>[] {
    const { itemsMax, bytesMax, sizeOf } = this.#rules
    const batch = [first]
    let bytes = sizeOf(first.item)
    for (const entry of this.#waiting.get(key) ?? []) {
      if (batch.length === itemsMax) break
      if (entry === first || bytes + sizeOf(entry.item) > bytesMax) continue
      bytes += sizeOf(entry.item)
      batch.push(entry)
    }
    for (const entry of batch) {
      entry.isTaken = true
      this.#leave(key, entry)
    }
    return batch
  }

  /** Settles every entry; never rejects. */
  async #sendBatch(batch: readonly Entry<Item, Value>[], send: Send<Item, Value>): Promise<void> {
    try {
      const values = await send(batch.map(({ item }) => item))
      for (const [nth, { outcome }] of batch.entries()) {
        const value = values[nth]
        if (value === undefined) outcome.reject(new Error('The call returned too few results.'))
        else outcome.resolve(value)
      }
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error)
    }
  }

  #join(key: string, entry: Entry<Item, Value>): void {
    this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(entry))
    this.#waitingBytes += this.#rules.sizeOf(entry.item)
  }

  #leave(key: string, entry: Entry<Item, Value>): void {
    const waiting = this.#waiting.get(key)
    if (!waiting?.delete(entry)) return
    this.#waitingBytes -= this.#rules.sizeOf(entry.item)
    if (waiting.size === 0) this.#waiting.delete(key)
  }

  /** A request that was cut off runs no code, so it cannot leave. */
  #dropAbandoned(): void {
    const before = this.#now() - this.#rules.waitMaxMs
    for (const [key, waiting] of this.#waiting)
      for (const entry of waiting) {
        // The entries of a key are in order.
        if (entry.since >= before) break
        this.#leave(key, entry)
      }
  }
}
