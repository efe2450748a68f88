// The rules of a semaphore (weighted-semaphore.ts), the sender of a request for a slot, and the slot that it gets.

export interface SemaphoreRules {
  /**
   * The total size of all slots, in bytes or in slots of size 1. A request for more runs alone, while no other request
   * holds a slot.
   */
  readonly capacity: number
  /**
   * Part of the capacity that a key which already holds a slot leaves to other keys: a fixed size, or ('same_as_held')
   * as much as the key already holds.
   */
  readonly reservedForOthers: number | 'same_as_held'
  /** Maximum number of waiting requests. No limit if absent. */
  readonly waitingMax?: number
  /** Maximum number of requests of one key that wait or hold a slot. No limit if absent. */
  readonly requestsMaxPerKey?: number
  /** How long a request waits before it fails. */
  readonly waitMaxMs: number
  /** How long the holder of a slot may report no progress. After that it counts as cut off, and the slot is free. */
  readonly slotIdleMaxMs: number
}

/** The sender of a request for a slot. Keys are served in turn, and so are the threads of each key. */
export interface Requester {
  readonly key: string
  readonly thread: string
  /** Aborted when the result is no longer needed. The request then stops waiting. */
  readonly signal?: AbortSignal
  /** Awaits the promise of the wait. The caller can stop the clock of the work's timeout meanwhile. */
  readonly trackWait?: <T>(wait: Promise<T>) => Promise<T>
}

/** A slot that a request holds while its work runs. */
export interface Slot {
  /** Tells the semaphore that the work continues. Returns false if another key is waiting. */
  readonly reportProgress: () => boolean
  /**
   * Allows the semaphore to give this slot to a key without one. `slowPace` returns the speed of the work if it is too
   * slow to keep the slot, otherwise null. The slot is taken from the slowest work of the key that holds the most
   * slots; `onPreempted` is then called.
   */
  readonly allowPreemption: (slowPace: () => number | null, onPreempted: () => void) => void
}

/** Waits for `ms`, or until `wakeUp` resolves. */
export type Sleep = (ms: number, wakeUp: Promise<void>) => Promise<unknown>
