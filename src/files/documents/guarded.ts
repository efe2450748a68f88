// A reader whose calls are announced to whoever watches this process: a parser that never gives its thread back holds up
// everybody, and only another process can end that.

import type { Deadlines } from '../../lib/deadlines.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { err } from '../../lib/result.ts'
import { DOCUMENT_DEADLINE_MS } from './limits.ts'
import type { DocumentReader } from './document.ts'

/**
 * The same bytes are not read again once they had to be stopped: a run that goes on asks for them anew. `ms`: how long
 * reading them may take before whoever watches may end it.
 */
export function guardedReader(
  reader: DocumentReader,
  deadlines: Deadlines,
  ms = DOCUMENT_DEADLINE_MS,
): DocumentReader {
  return {
    async read(kind, bytes, asked, hints) {
      // A view, where it can be: a copy of what may be 32 MiB would stand beside it.
      const { buffer, byteOffset, length } = bytes
      const view = buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, length) : bytes.slice()
      const key = `document ${await sha256Hex(view)}`
      const read = await deadlines.guard(key, ms, () => reader.read(kind, bytes, asked, hints))
      return read.ok ? read.value : err(stopped(ms))
    },
  }
}

function stopped(ms: number): string {
  return `Reading this document was stopped: it held up everything for more than ${ms / 1_000} s, so it is not tried again. Ask for its text, or for another form of it.`
}
