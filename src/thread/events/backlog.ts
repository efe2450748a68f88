// The frames that readers have not received yet: one queue for each reader, and one memory limit for all queues of an
// isolate. A frame is encoded once for all readers of a thread. Frames are joined only when they are sent.

import { READERS_QUEUED_MAX_BYTES } from './limits.ts'

/** The bytes of a frame, shared by all of its readers. */
export interface SharedFrame {
  readonly bytes: Uint8Array
  /** Number of queues that contain the frame. */
  queueCount: number
}

export function newSharedFrame(bytes: Uint8Array): SharedFrame {
  return { bytes, queueCount: 0 }
}

/**
 * Counts the bytes in all queues, each frame once. When they exceed the limit, the reader with the longest
 * queue is disconnected.
 */
export class Backlog {
  readonly #maxBytes: number
  readonly #nonEmptyQueues = new Set<FrameQueue>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(queue: FrameQueue, frame: SharedFrame): void {
    this.#nonEmptyQueues.add(queue)
    if (frame.queueCount++ === 0) this.#bytes += frame.bytes.byteLength
    while (this.#bytes > this.#maxBytes) this.#longestQueue(queue).disconnect()
  }

  remove(queue: FrameQueue, frames: readonly SharedFrame[]): void {
    if (queue.bytes === 0) this.#nonEmptyQueues.delete(queue)
    for (const frame of frames) if (--frame.queueCount === 0) this.#bytes -= frame.bytes.byteLength
  }

  #longestQueue(queue: FrameQueue): FrameQueue {
    let longest = queue
    for (const candidate of this.#nonEmptyQueues) if (candidate.bytes > longest.bytes) longest = candidate
    return longest
  }
}

export class FrameQueue {
  readonly #backlog: Backlog
  readonly #onCutOff: () => void
  #frames: SharedFrame[] = []
  bytes = 0

  /** `onCutOff` is called, after the queue was emptied, when the reader is too far behind. */
  constructor(backlog: Backlog, onCutOff: () => void) {
    this.#backlog = backlog
    this.#onCutOff = onCutOff
  }

  push(frame: SharedFrame): void {
    this.#frames.push(frame)
    this.bytes += frame.bytes.byteLength
    this.#backlog.add(this, frame)
  }

  /**
   * Removes and returns complete frames of at most `maxBytes` bytes in total, or a single larger frame. Returns null if
   * the queue is empty.
   */
  takeChunk(maxBytes: number): Uint8Array | null {
    let size = 0
    let count = 0
    for (const { bytes } of this.#frames) {
      if (count > 0 && size + bytes.byteLength > maxBytes) break
      size += bytes.byteLength
      count += 1
    }
    const taken = this.#frames.splice(0, count)
    const [only] = taken
    if (!only) return null
    this.bytes -= size
    this.#backlog.remove(this, taken)
    return taken.length === 1 ? only.bytes : concatenate(taken, size)
  }

  /** Discards the waiting frames. */
  clear(): void {
    const dropped = this.#frames
    this.#frames = []
    this.bytes = 0
    this.#backlog.remove(this, dropped)
  }

  disconnect(): void {
    this.clear()
    this.#onCutOff()
  }
}

function concatenate(frames: readonly SharedFrame[], size: number): Uint8Array {
  const joined = new Uint8Array(size)
  let offset = 0
  for (const { bytes } of frames) {
    joined.set(bytes, offset)
    offset += bytes.byteLength
  }
  return joined
}

/** The backlog of all threads in this isolate. */
export const isolateBacklog = new Backlog(READERS_QUEUED_MAX_BYTES)
