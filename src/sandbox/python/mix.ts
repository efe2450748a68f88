// The expensive part of scrypt, for boot/derive.py: mixes blocks that are in a pipe.

import { PYTHON_HEAP_MAX_BYTES } from '../limits.ts'
import { PYTHON_FILES_MAX_BYTES, PYTHON_SCRYPT_BYTES } from './limits.ts'
import { integer } from '../wasm/guest-numbers.ts'
import { mixBlocks } from '../wasm/scrypt.ts'

import type { Process } from './process.ts'

const NUMBER_MAX = 2 ** 31 - 1

/** Returns 0, or 1 if there is not enough memory. Rejects if the script must end. */
export async function mix(process: Process, text: string): Promise<number> {
  // The cast is safe: boot/derive.py wrote this. The numbers are checked here.
  const [from, to, N, r] = (JSON.parse(text) as readonly unknown[]).map((value) =>
    integer(value, 0, NUMBER_MAX),
  )
  const { files, meter, memory, tree } = process
  const [input, output] = [files.get(from ?? -1), files.get(to ?? -1)]
  const piped = input && files.takePiped(input)
  const size = 128 * (r ?? 0)
  if (!piped || !output || !N || size === 0 || piped.length % size !== 0) return 1
  const { bytes, cachedBytes } = tree.quota
  const unused = PYTHON_HEAP_MAX_BYTES + PYTHON_FILES_MAX_BYTES - memory.bytes.length - bytes - cachedBytes
  if (size * N + 2 * piped.length > Math.max(PYTHON_SCRYPT_BYTES, unused)) return 1
  const blocks = new Uint8Array(piped)
  await mixBlocks(blocks, N, size / 128, meter)
  return files.write(output, blocks, null) === blocks.length ? 0 : 1
}
