// Reads large files that are only on the host, through a window for each open file, so that a program that reads a
// file from beginning to end never holds all of it.

import { negativeErrno } from './errno.ts'
import { isFilePosition } from './guest-numbers.ts'
import { FETCH_WHOLE_MAX_BYTES, WINDOW_BYTES } from './limits.ts'

import type { File, ContentSource, Node } from './nodes.ts'
import type { OpenFile } from './open-files.ts'
import type { GuestRun } from './run.ts'

export type RemoteFile = File & { readonly bytes: null; readonly source: ContentSource }

/**
 * Whether only the host has a file, and it is so large that it is read through a window unless it is opened for
 * writing.
 */
export function isRemote(node: Node): node is RemoteFile {
  return (
    node.kind === 'file' &&
    node.bytes === null &&
    node.source !== null &&
    node.pack === null &&
    node.size > FETCH_WHOLE_MAX_BYTES
  )
}

/**
 * Reads up to `length` bytes at `offset`, or at the file position if it is null. Returns a negative error number if the
 * host no longer has the file, or if there can be no such offset.
 */
export async function readRemote(
  { meter, fetchRange }: Pick<GuestRun, 'meter' | 'fetchRange'>,
  open: OpenFile,
  node: RemoteFile,
  length: number,
  offset: number | null,
): Promise<Uint8Array | number> {
  const from = offset ?? open.position
  if (!isFilePosition(from)) return negativeErrno('INVAL')
  const count = Math.max(0, Math.min(length, node.size - from))
  const windowEnd = open.window ? open.window.start + open.window.bytes.length : 0
  if (!open.window || from < open.window.start || from + count > windowEnd) {
    const fetchLength = Math.min(Math.max(count, WINDOW_BYTES), node.size - from)
    const fetched =
      fetchLength > 0 ? await meter.within(fetchRange(node.source, from, fetchLength)) : new Uint8Array(0)
    if (!fetched) return negativeErrno('IO')
    open.window = { start: from, bytes: fetched }
  }
  const { start, bytes } = open.window
  if (offset === null) open.position = from + count
  const read = bytes.subarray(from - start, from - start + count)
  // A read larger than the window is not cached.
  if (count > WINDOW_BYTES) open.window = null
  return read
}
