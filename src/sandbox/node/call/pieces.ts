// Processes many bytes in pieces, between which the isolate yields.

import type { NodeRun } from './node-run.ts'

/** Digests and ciphers take about 10 ms for this many bytes. */
const PIECE_BYTES = 2_097_152
/** Steps charged for each byte. */
const STEPS_PER_BYTE = 1 / 4

/** Charges steps, and yields if it is due. Rejects if the guest must end. */
export async function pauseAfter(run: NodeRun, steps: number): Promise<void> {
  run.meter.charge(Math.ceil(steps))
  const rest = run.meter.check()
  if (typeof rest !== 'number') await rest
}

/** Calls `use` with the pieces of `bytes`. Returns a promise only if there are several. */
export function inPieces(
  run: NodeRun,
  bytes: Uint8Array,
  use: (piece: Uint8Array) => void,
): undefined | Promise<undefined> {
  if (bytes.length > PIECE_BYTES) return manyPieces(run, bytes, use)
  run.meter.charge(Math.ceil(bytes.length * STEPS_PER_BYTE))
  use(bytes)
  return undefined
}

async function manyPieces(
  run: NodeRun,
  bytes: Uint8Array,
  use: (piece: Uint8Array) => void,
): Promise<undefined> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    use(bytes.subarray(from, from + PIECE_BYTES))
    await pauseAfter(run, PIECE_BYTES * STEPS_PER_BYTE)
  }
  return undefined
}
