// Combines requests of one key that wait at the same time into one call, because a call of an object costs more than what it does
// for one of them. A request that waits for nobody is a call of its own.

import { ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { RequestQueue } from './request-queue.ts'

export interface BatchRules<Item> {
  /** Maximum number of items in a call. */
  readonly itemsMax: number
  /** Maximum total size of the items in a call, in bytes. A larger item is a call of its own. */
  readonly bytesMax: number
  /** How long an item waits for the call of another request, which may have been cut off, before it is sent again (ms). */
  readonly retryAfterMs: number
  readonly sizeOf: (item: Item) => number
}

/** Makes one call for several items, and returns one result for each, in order. */
type Send<Item, Value> = (items: readonly Item[]) => Promise<readonly Value[]>

interface Entry<Item, Value> {
  readonly item: Item
  isTaken: boolean
  readonly outcome: PromiseWithResolvers<Value>
}

export class Batches<Item, Value> {
  readonly #queue: RequestQueue
  readonly #rules: BatchRules<Item>
  /** Items that no call has taken yet, by key and in order. */
  readonly #waiting = new Map<string, Set<Entry<Item, Value>>>()

  constructor(queue: RequestQueue, rules: BatchRules<Item>) {
    this.#queue = queue
    this.#rules = rules
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
    const entry: Entry<Item, Value> = { item, isTaken: false, outcome: Promise.withResolvers() }
    // The only reaction to the promise: another request settles it, and the runtime warns if it drops one when this request ends.
    const outcome = entry.outcome.promise.then(ok, () => null)
    const waiting = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, waiting.add(entry))
    try {
      const turn = await this.#queue.run(key, async () => {
        if (entry.isTaken) return ok(null)
        const call = this.#sendBatch(this.#take(entry, waiting), send)
        keepAlive(call)
        await call
        return ok(null)
      })
      if (!turn.ok && !entry.isTaken) return turn
    } finally {
      this.#leave(key, entry)
    }
    const settled = await withTimeout(this.#rules.retryAfterMs, outcome)
    if (settled) return settled
    // The call failed or was cut off, maybe because of another item.
    const [value] = await send([item])
    if (value === undefined) throw new Error('The call returned no result.')
    return ok(value)
  }

  /** Takes `first`, and as many of the items that wait with it as fit into a call. */
  #take(first: Entry<Item, Value>, waiting: Set<Entry<Item, Value>>): readonly Entry<Item, Value>[] {
    const { itemsMax, bytesMax, sizeOf } = this.#rules
    const batch = [first]
    let bytes = sizeOf(first.item)
    for (const entry of waiting) {
      if (batch.length === itemsMax) break
      if (entry === first || bytes + sizeOf(entry.item) > bytesMax) continue
      bytes += sizeOf(entry.item)
      batch.push(entry)
    }
    for (const entry of batch) {
      entry.isTaken = true
      waiting.delete(entry)
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

  #leave(key: string, entry: Entry<Item, Value>): void {
    const waiting = this.#waiting.get(key)
    waiting?.delete(entry)
    if (waiting?.size === 0) this.#waiting.delete(key)
  }
}
