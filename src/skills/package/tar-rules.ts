// Rejects tar members by their headers alone: unsupported types, and attributes that are declared twice. Links and
// devices are rejected later, in tar.ts.

import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { TAR_META_MAX_BYTES } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { paxRecords } from './tar-header.ts'
import type { TarHeader } from './tar-header.ts'

/** The attributes that extended headers (pax, GNU long names) set for the next member. */
export interface PendingAttributes {
  /** The type flags of these extended headers, in order. */
  readonly typeflags: string
  readonly size?: string | undefined
  readonly sparse?: boolean
}

export const NO_ATTRIBUTES: PendingAttributes = { typeflags: '' }

const EXTENDED_TYPEFLAGS = 'xgLK'
const SUPPORTED_TYPEFLAGS = `\x0001234567${EXTENDED_TYPEFLAGS}`

/** True for a pax or GNU extended header, which only describes other members. */
export function isExtendedHeader({ typeflag }: TarHeader): boolean {
  return EXTENDED_TYPEFLAGS.includes(typeflag)
}

/** Why this member is refused, as a sentence; null if it is accepted. */
export function rejectionReason(header: TarHeader, attributes: PendingAttributes): string | null {
  const { typeflag, size } = header
  if (typeflag === 'S' || (attributes.sparse === true && !isExtendedHeader(header)))
    return 'It is a sparse file. Pack it without --sparse.'
  if (!SUPPORTED_TYPEFLAGS.includes(typeflag))
    return `Its type flag ${quoted(typeflag)} is not supported. Pack it with --format=ustar.`
  if (size === null) return 'Its size is not written in octal digits.'
  if (isExtendedHeader(header)) {
    if (size > TAR_META_MAX_BYTES)
      return `It has ${size} bytes of attributes; the limit is ${TAR_META_MAX_BYTES}. Pack it without extended attributes.`
    // Tar implementations disagree on which of two declarations to use.
    return /^g?(?:x|L?K?|KL)$/.test(attributes.typeflags + typeflag)
      ? null
      : 'It declares attributes of a member twice.'
  }
  if (size > 0 && '123456'.includes(typeflag)) return 'It has content, which only a file may have.'
  if (attributes.size !== undefined && !(/^\d+$/.test(attributes.size) && Number(attributes.size) === size))
    return 'Its size is declared twice, with different values.'
  return null
}

/**
 * The attributes for the member after this one, or why this one is rejected. `body` begins with the content of this
 * member if it is an extended header, and may be longer.
 */
export function nextAttributes(
  header: TarHeader,
  attributes: PendingAttributes,
  body: Uint8Array,
): Result<PendingAttributes, string> {
  if (!isExtendedHeader(header)) return ok(NO_ATTRIBUTES)
  const typeflags = attributes.typeflags + header.typeflag
  if (!'xg'.includes(header.typeflag)) return ok({ ...attributes, typeflags })
  const records = paxRecords(body.subarray(0, header.size ?? 0))
  if (!records.ok) return records
  const keys = Array.from(records.value.keys())
  const sparse = keys.some((key) => key.startsWith('GNU.sparse.'))
  if (header.typeflag === 'x') return ok({ typeflags, size: records.value.get('size'), sparse })
  return sparse || keys.some((key) => ['path', 'linkpath', 'size'].includes(key))
    ? err('It declares the same name or size for all members.')
    : ok({ typeflags })
}
