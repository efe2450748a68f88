// Charges steps for the work of the host for a guest, such as a digest, so that it pauses and ends like guest code.

/** Charges steps. Await the result if there is one: the isolate yields then. Rejects if the guest must end. */
export interface Payer {
  spend(steps: number): Promise<void> | undefined
}

/** Steps charged at a time, which is less than 0.1 ms of work. */
const ADVANCE_STEPS = 16_384

/**
 * Returns a function that charges units of work before they are done. It may be called for each unit: most calls only
 * subtract. Await the result if there is one.
 */
export function paidWork(payer: Payer, stepsPerUnit: number): (units: number) => Promise<void> | undefined {
  let paid = 0
  return (units) => {
    paid -= units * stepsPerUnit
    if (paid >= 0) return undefined
    const due = Math.ceil(-paid) + ADVANCE_STEPS
    paid = ADVANCE_STEPS
    return payer.spend(due)
  }
}

/** The size of a piece of bytes, whose work takes up to 10 ms, and the steps charged per byte. */
export interface Pieces {
  readonly bytes: number
  readonly stepsPerByte: number
}

/** Digests and ciphers of the platform. */
export const PLATFORM_PIECES: Pieces = { bytes: 2_097_152, stepsPerByte: 1 / 4 }

/** Calls `use` with `bytes` in pieces. A promise only if the isolate yields in between. */
export function inPieces(
  payer: Payer,
  bytes: Uint8Array,
  use: (piece: Uint8Array) => void,
  pieces = PLATFORM_PIECES,
): undefined | Promise<undefined> {
  for (let from = 0; from < bytes.length; from += pieces.bytes) {
    const piece = bytes.subarray(from, from + pieces.bytes)
    use(piece)
    const rest = payer.spend(Math.ceil(piece.length * pieces.stepsPerByte))
    const left = bytes.subarray(from + pieces.bytes)
    if (rest) return rest.then(async () => inPieces(payer, left, use, pieces))
  }
  return undefined
}
