// Checks the extra fields of a zip member that could make two readers see different files.

import { equalBytes } from '../../lib/bytes.ts'

const ZIP64 = 0x0001
const UNICODE_PATH = 0x7075
const AES = 0x9901

/** Why these fields are refused, as a sentence; null if they are harmless. */
export function extraRefusal(extra: Uint8Array, name: Uint8Array): string | null {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  let offset = 0
  while (offset + 4 <= extra.length) {
    const id = view.getUint16(offset, true)
    const end = offset + 4 + view.getUint16(offset + 2, true)
    if (end > extra.length) return 'Its extra fields are damaged.'
    if (id === ZIP64) return 'It uses ZIP64, which only files of gigabytes need.'
    if (id === AES) return 'It is encrypted.'
    if (id === UNICODE_PATH && !samePath(extra.subarray(offset + 4, end), name))
      return 'It has a second name that differs from its first.'
    offset = end
  }
  return offset === extra.length ? null : 'Its extra fields are damaged.'
}

/**
 * Whether a Unicode path field has this name. It consists of a version byte, a 4-byte checksum and the name in UTF-8.
 */
function samePath(field: Uint8Array, name: Uint8Array): boolean {
  return equalBytes(field.subarray(5), name)
}
