// The order in which a program wrote to its two output streams, as lengths of runs.

import { WRITE_RUNS_MAX } from './limits.ts'

export type OutputStream = 'stdout' | 'stderr'

/** The output of both streams. */
export interface OrderedOutput {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /**
   * Number of bytes written to stdout, then to stderr, then to stdout, and so on. The rest was written to stdout
   * first, then to stderr.
   */
  readonly order?: readonly number[]
}

/** Records the order. Writes to the same stream in a row are one run. */
export class WriteOrder {
  readonly #lengths: number[] = []

  add(stream: OutputStream, bytes: number): void {
    if (bytes === 0) return
    const lengths = this.#lengths
    const isLast = lengths.length % 2 === (stream === 'stdout' ? 1 : 0)
    if (lengths.length > 0 && isLast) lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + bytes
    else if (lengths.length < WRITE_RUNS_MAX) {
      if (lengths.length === 0 && stream === 'stderr') lengths.push(0)
      lengths.push(bytes)
    }
  }

  get lengths(): readonly number[] {
    return this.#lengths
  }
}

/** The runs of an output in their order. */
export function* runsOf({ stdout, stderr, order = [] }: OrderedOutput): Generator<{
  readonly stream: OutputStream
  readonly bytes: Uint8Array
}> {
  const [at, streams] = [
    { stdout: 0, stderr: 0 },
    { stdout, stderr },
  ]
  for (const [index, length] of [...order, stdout.length, stderr.length].entries()) {
    const stream = (index < order.length ? index : index - order.length) % 2 === 0 ? 'stdout' : 'stderr'
    const bytes = streams[stream].subarray(at[stream], at[stream] + length)
    at[stream] += bytes.length
    if (bytes.length > 0) yield { stream, bytes }
  }
}
