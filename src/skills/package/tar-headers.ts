// Checks the headers of a tar before the decoder, which trusts them, sees them. Refuses members that would take the
// decoder unbounded time, or that two programs would read differently.

import type { Failure } from '../../lib/result.ts'
import { TAR_META_MAX_BYTES } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { damaged, memberError, membersRefused, archiveTooLarge } from './archive-intake.ts'
import { readHeader, TAR_BLOCK_BYTES } from './tar-header.ts'
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
  const buffer = new Uint8Array(TAR_BLOCK_BYTES + TAR_META_MAX_BYTES)
  let bufferedBytes = 0
  let neededBytes = TAR_BLOCK_BYTES
  let contentBytesLeft = 0
  let headerCount = 0
  let header: TarHeader | null = null
  let attributes = NO_ATTRIBUTES
  let hasEnded = false

  const damagedTar = (damage: string): TarRefusal => {
    const where = header === null ? '' : ` after ${quoted(new TextDecoder().decode(header.name))}`
    return new TarRefusal(damaged(`The tar ${damage}${where}. Pack the skill again.`))
  }
  const readNextHeader = (): TarHeader => {
    const parsed = readHeader(buffer.subarray(0, TAR_BLOCK_BYTES))
    if (parsed === null) throw damagedTar('is damaged')
    headerCount += 1
    if (headerCount > headersMax) throw new TarRefusal(archiveTooLarge(`more than ${headersMax} members`))
    return parsed
  }
  const attributesAfter = (owner: TarHeader): PendingAttributes => {
    const result = nextAttributes(owner, attributes, buffer.subarray(TAR_BLOCK_BYTES))
    if (!result.ok) throw refusal(owner, result.error)
    return result.value
  }

  return new TransformStream({
    transform(chunk, out) {
      for (let offset = 0; offset < chunk.length;) {
        if (hasEnded && !isZero(chunk.subarray(offset)))
          throw damagedTar('is damaged: there is data after its end')
        if (hasEnded) return
        const piece = chunk.subarray(
          offset,
          offset + (contentBytesLeft > 0 ? contentBytesLeft : neededBytes - bufferedBytes),
        )
        offset += piece.length
        if (contentBytesLeft > 0) {
          contentBytesLeft -= piece.length
          out.enqueue(piece)
          continue
        }
        buffer.set(piece, bufferedBytes)
        bufferedBytes += piece.length
        if (bufferedBytes < neededBytes) continue
        if (neededBytes === TAR_BLOCK_BYTES) {
          hasEnded = isZero(buffer.subarray(0, TAR_BLOCK_BYTES))
          if (hasEnded) continue
          header = readNextHeader()
          const problem = rejectionReason(header, attributes)
          if (problem !== null) throw refusal(header, problem)
          const padded = Math.ceil((header.size ?? 0) / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
          if (isExtendedHeader(header)) neededBytes += padded
          else contentBytesLeft = padded
          if (bufferedBytes < neededBytes) continue
        }
        if (header !== null) attributes = attributesAfter(header)
        out.enqueue(buffer.slice(0, neededBytes))
        bufferedBytes = 0
        neededBytes = TAR_BLOCK_BYTES
      }
    },
    flush(out) {
      if (!hasEnded) throw damagedTar('is truncated')
      // Some packers end a tar with one block of zeros, but the decoder needs two.
      out.enqueue(new Uint8Array(2 * TAR_BLOCK_BYTES))
    },
  })
}

function refusal({ name }: TarHeader, problem: string): TarRefusal {
  return new TarRefusal(membersRefused([memberError(name, problem)]))
}

function isZero(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; offset++) if (bytes[offset] !== 0) return false
  return true
}
