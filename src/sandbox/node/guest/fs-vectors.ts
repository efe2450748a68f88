// Synchronous calls of node:fs with several buffers.

import { fsyncSync, readSync, writeSync } from './fs.ts'

export const fdatasyncSync = fsyncSync

export function readvSync(fd: number, buffers: readonly ArrayBufferView[], position?: number | null): number {
  let total = 0
  for (const buffer of buffers) {
    const count = readSync(
      fd,
      buffer,
      0,
      buffer.byteLength,
      typeof position === 'number' ? position + total : null,
    )
    total += count
    if (count < buffer.byteLength) break
  }
  return total
}

export function writevSync(
  fd: number,
  buffers: readonly ArrayBufferView[],
  position?: number | null,
): number {
  let total = 0
  for (const buffer of buffers)
    total += writeSync(
      fd,
      buffer,
      0,
      buffer.byteLength,
      typeof position === 'number' ? position + total : null,
    )
  return total
}
