// Reads the bytes to dump: all inputs as one sequence, starting at an offset, up to a number of bytes.

import { Failed, type CommandIo } from '../command.ts'
import { concat } from '../io/bytes.ts'
import { inputsOf } from '../io/inputs.ts'

export interface DumpRange {
  readonly skip: number
  /** Maximum number of bytes; Infinity for all. */
  readonly most: number
}

/**
 * Yields blocks of `size` bytes; the last one may be shorter. Throws a `Failed` if the input is shorter than the
 * offset.
 */
export async function* blocksOf(
  io: CommandIo,
  operands: readonly string[],
  size: number,
  { skip, most }: DumpRange,
  failed: () => void,
  skipsPastEnd = false,
): AsyncGenerator<readonly Uint8Array[]> {
  let toSkip = skip
  let left = most
  let open: Uint8Array = new Uint8Array()
  for await (const { reader } of inputsOf(io, operands, failed)) {
    while (left > 0) {
      const read = await reader.read()
      if (!read) break
      const skipped = Math.min(toSkip, read.length)
      toSkip -= skipped
      const chunk = read.subarray(skipped, skipped + left)
      left -= chunk.length
      const all = open.length > 0 ? concat([open, chunk]) : chunk
      const blocks: Uint8Array[] = []
      let at = 0
      for (; at + size <= all.length; at += size) blocks.push(all.subarray(at, at + size))
      open = all.subarray(at)
      if (blocks.length > 0) yield blocks
    }
    if (left === 0) break
  }
  if (toSkip > 0 && !skipsPastEnd) throw new Failed('cannot skip past end of combined input')
  if (open.length > 0) yield [open]
}
