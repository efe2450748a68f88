// Which members of a tar are refused by their headers alone: kinds that are no file, and what is said of one twice.

import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { TAR_META_MAX_BYTES } from './limits.ts'
import { quoted } from '../format/finding.ts'
import { paxRecords } from './tar-header.ts'
import type { TarHeader } from './tar-header.ts'

/** What was said of a member before its own header: by metas of which kinds, and which size. */
export interface MetaHeaders {
  readonly kinds: string
  readonly size?: string | undefined
  readonly sparse?: boolean
}

export const NO_HEADERS: MetaHeaders = { kinds: '' }

const METAS = 'xgLK'
const KINDS = `\x0001234567${METAS}`

/** True for a member that only speaks of others. */
export function isMeta({ kind }: TarHeader): boolean {
  return METAS.includes(kind)
}

/** Why this member is refused, a sentence; null when it is fine. */
export function tarProblem(header: TarHeader, said: MetaHeaders): string | null {
  const { kind, size } = header
  if (kind === 'S' || (said.sparse === true && !isMeta(header)))
    return 'It is a sparse file. Pack it without --sparse.'
  if (!KINDS.includes(kind))
    return `Its kind ${quoted(kind)} is no file and no folder. Pack it with --format=ustar.`
  if (size === null) return 'Its size is not written in plain octal digits.'
  if (isMeta(header)) {
    if (size > TAR_META_MAX_BYTES)
      return `It says ${size} bytes of another member; at most ${TAR_META_MAX_BYTES} are read. Pack it without extended attributes.`
    // Readers differ in what holds when it is said twice.
    return /^g?(?:x|L?K?|KL)$/.test(said.kinds + kind) ? null : 'It says again what was said of a member.'
  }
  if (size > 0 && '123456'.includes(kind)) return 'It has content, which only a file may have.'
  if (said.size !== undefined && !(/^\d+$/.test(said.size) && Number(said.size) === size))
    return 'Its size is said twice, and not the same.'
  return null
}

/** What is known of the next member behind this one, or why this is refused. `body`: a meta's content, maybe more. */
export function headersOf(
  header: TarHeader,
  said: MetaHeaders,
  body: Uint8Array,
): Result<MetaHeaders, string> {
  if (!isMeta(header)) return ok(NO_HEADERS)
  const kinds = said.kinds + header.kind
  if (!'xg'.includes(header.kind)) return ok({ ...said, kinds })
  const records = paxRecords(body.subarray(0, header.size ?? 0))
  if (!records.ok) return records
  const keys = Array.from(records.value.keys())
  const sparse = keys.some((key) => key.startsWith('GNU.sparse.'))
  if (header.kind === 'x') return ok({ kinds, size: records.value.get('size'), sparse })
  return sparse || keys.some((key) => ['path', 'linkpath', 'size'].includes(key))
    ? err('It gives all members one name or size.')
    : ok({ kinds })
}
