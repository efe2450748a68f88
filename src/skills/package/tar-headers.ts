// Checks the headers of a tar before the decoder, which trusts them, sees them. Refuses members that would take the
// decoder unbounded time, or that two programs would read differently.

import type { Failure } from '../../lib/result.ts'
import { TAR_META_MAX_BYTES } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { damaged, memberError, membersRefused, archiveTooLarge } from './archive-intake.ts'
import { readHeader, TAR_BLOCK } from './tar-header.ts'
import type { TarHeader } from './tar-header.ts'
import type { PendingAttributes } from './tar-rules.ts'
import { isExtendedHeader, NO_ATTRIBUTES, rejectionReason, nextAttributes } from './tar-rules.ts'

/** The error with which a refused tar stream fails. Its message is a sentence. */
export class TarRefusal extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    const [member] = failure.errors ?? []
    super(member === undefined ? failure.detail : `${member.path}: ${member.message}`)
    this.failure = failure
  }
}

/**
 * Passes a tar through with its headers checked, owners and times set to zero, and a complete end. Fails with a
 * TarRefusal. `headersMax` limits the members, including extended headers.
 */
export function tarHeaders(headersMax: number): TransformStream<Uint8Array, Uint8Array> {
  // Buffers a header, and after it the content of an extended header.
  const held = new Uint8Array(TAR_BLOCK + TAR_META_MAX_BYTES)
  let have = 0
  let need = TAR_BLOCK
  let content = 0
  let headers = 0
  let header: TarHeader | null = null
  let declared = NO_ATTRIBUTES
  let ended = false

  const torn = (how: string): TarRefusal => {
    const where = header === null ? '' : ` after ${quoted(new TextDecoder().decode(header.name))}`
    return new TarRefusal(damaged(`The tar ${how}${where}. Pack the skill again.`))
  }
  const next = (): TarHeader => {
    const found = readHeader(held.subarray(0, TAR_BLOCK))
    if (found === null) throw torn('is damaged')
    headers += 1
    if (headers > headersMax) throw new TarRefusal(archiveTooLarge(`more than ${headersMax} members`))
    return found
  }
  const after = (of: TarHeader): PendingAttributes => {
    const all = nextAttributes(of, declared, held.subarray(TAR_BLOCK))
    if (!all.ok) throw refusal(of, all.error)
    return all.value
  }

  return new TransformStream({
    transform(chunk, out) {
      for (let at = 0; at < chunk.length;) {
        if (ended && !isZero(chunk.subarray(at))) throw torn('is damaged: there is data after its end')
        if (ended) return
        const piece = chunk.subarray(at, at + (content > 0 ? content : need - have))
        at += piece.length
        if (content > 0) {
          content -= piece.length
          out.enqueue(piece)
          continue
        }
        held.set(piece, have)
        have += piece.length
        if (have < need) continue
        if (need === TAR_BLOCK) {
          ended = isZero(held.subarray(0, TAR_BLOCK))
          if (ended) continue
          header = next()
          const problem = rejectionReason(header, declared)
          if (problem !== null) throw refusal(header, problem)
          const padded = Math.ceil((header.size ?? 0) / TAR_BLOCK) * TAR_BLOCK
          if (isExtendedHeader(header)) need += padded
          else content = padded
          if (have < need) continue
        }
        if (header !== null) declared = after(header)
        out.enqueue(held.slice(0, need))
        have = 0
        need = TAR_BLOCK
      }
    },
    flush(out) {
      if (!ended) throw torn('is truncated')
      // Some packers end a tar with one block of zeros, but the decoder needs two.
      out.enqueue(new Uint8Array(2 * TAR_BLOCK))
    },
  })
}

function refusal({ name }: TarHeader, problem: string): TarRefusal {
  return new TarRefusal(membersRefused([memberError(name, problem)]))
}

function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false
  return true
}
