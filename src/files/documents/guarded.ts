// Announces each read to the supervisor process: a parser that never yields blocks all requests, and only another
// process can stop it.

import type { Deadlines } from '../../lib/deadlines.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { err } from '../../lib/result.ts'
import { DOCUMENT_DEADLINE_MS } from './limits.ts'
import type { DocumentReader } from './document.ts'

/**
 * Bytes whose read had to be stopped are not read again: a resumed run requests them again. `ms`: the time after which
 * the supervisor may stop the read.
 */
export function guardedReader(
  reader: DocumentReader,
  deadlines: Deadlines,
  ms = DOCUMENT_DEADLINE_MS,
): DocumentReader {
  return {
    async read(kind, bytes, call, hints) {
      // A view where possible: a copy may take another 32 MiB.
      const { buffer, byteOffset, length } = bytes
      const view = buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, length) : bytes.slice()
      const key = `document ${await sha256Hex(view)}`
      const read = await deadlines.guard(key, ms, () => reader.read(kind, bytes, call, hints))
      return read.ok ? read.value : err(stopped(ms))
    },
  }
}

function stopped(ms: number): string {
  return `Reading this document was stopped because it blocked all requests for more than ${ms / 1_000} s. It is not tried again. Ask for its text, or for another form of it.`
}
