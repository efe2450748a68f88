// Announces each read to the supervisor process, because a parser that never yields blocks all requests and only another process can
// stop it.

import type { Deadlines } from '../../lib/deadlines.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { err } from '../../lib/result.ts'
import { DOCUMENT_DEADLINE_MS } from './limits.ts'
import type { DocumentReader } from './document.ts'

/**
 * A reader that the supervisor may stop after `ms`. From then on, the same bytes are refused, because the run requests
 * them again when it resumes.
 */
export function guardedReader(
  reader: DocumentReader,
  deadlines: Deadlines,
  ms = DOCUMENT_DEADLINE_MS,
): DocumentReader {
  return {
    async read(kind, bytes, call, hints) {
      // Uses a view if possible, because a copy may take another 32 MiB.
      const { buffer, byteOffset, length } = bytes
      const view = buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, length) : bytes.slice()
      const key = `document ${await sha256Hex(view)}`
      const guarded = await deadlines.guard(key, ms, () => reader.read(kind, bytes, call, hints))
      return guarded.ok ? guarded.value : err(stopped(ms))
    },
  }
}

function stopped(ms: number): string {
  return `Reading this document was stopped because it blocked all other requests for more than ${ms / 1_000} s. It will not be retried. Ask the user for its text, or for the document in another format.`
}
