// Reads of files that are only on the host. They suspend the guest.

import { readRemote, type RemoteFile } from '../wasm/remote-read.ts'

import type { OpenFile } from '../wasm/open-files.ts'
import type { Process } from './process.ts'

/**
 * Fills a list of buffers, as `readv` does, from the file position or from `at`. Returns the number of bytes, or a
 * negative error number.
 */
export async function readToBuffers(
  process: Process,
  open: OpenFile,
  node: RemoteFile,
  list: number,
  count: number,
  at: number | null,
): Promise<number> {
  const { memory } = process
  let done = 0
  for (let index = 0; index < count; index += 1) {
    const [address, length] = [memory.u32(list + index * 8), memory.u32(list + index * 8 + 4)]
    const bytes = await readRemote(process, open, node, length, at === null ? null : at + done)
    if (typeof bytes === 'number') return done > 0 ? done : bytes
    memory.bytes.set(bytes, address)
    done += bytes.length
    if (bytes.length < length) break
  }
  return done
}

/** Fills `length` bytes of memory from `at`. Returns 0 or a negative error number. */
export async function readToMemory(
  process: Process,
  open: OpenFile,
  node: RemoteFile,
  address: number,
  length: number,
  at: number,
): Promise<number> {
  const bytes = await readRemote(process, open, node, length, at)
  if (typeof bytes === 'number') return bytes
  process.memory.bytes.set(bytes, address)
  return 0
}

/** Reads into a buffer of the host. Returns the number of bytes, or a negative error number. */
export async function readToBuffer(
  process: Process,
  open: OpenFile,
  node: RemoteFile,
  buffer: Uint8Array,
): Promise<number> {
  const bytes = await readRemote(process, open, node, buffer.length, null)
  if (typeof bytes === 'number') return bytes
  buffer.set(bytes)
  return bytes.length
}
