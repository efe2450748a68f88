// Opaque page cursors. What comes back is checked as any input; a cursor grants nothing, queries do.

import { base64, fromBase64, fromUtf8, utf8 } from './bytes.ts'
import type { Failure } from './result.ts'

/** Where a page ended, as text that fits into a URL unescaped. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return base64(utf8(JSON.stringify(position)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The longest position is a path of 1,024 bytes, each escaped. */
const CURSOR_MAX_CHARS = 3_000

/** The position, if its parts have exactly these types; null for anything else. */
export function decodeCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { readonly [K in keyof T]: T[K] extends 'string' ? string : number } | null {
  if (cursor.length > CURSOR_MAX_CHARS) return null
  const padded = cursor.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (cursor.length % 4)) % 4)
  const position = parsed(fromUtf8(fromBase64(padded) ?? new Uint8Array()) ?? '')
  const fits =
    Array.isArray(position) &&
    position.length === types.length &&
    position.every(
      (part, i) => typeof part === types[i] && (typeof part !== 'number' || Number.isFinite(part)),
    )
  // Checked part by part just above.
  return fits ? (position as never) : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a list answers to a cursor that is none of its own. */
export const BAD_CURSOR: Failure = {
  code: 'bad_cursor',
  detail: 'The cursor is not one of this list. Start again without it.',
}

/** One page of items of which one more than `limit` was read. `placeOf`: where in its list an item is. */
export function cutPage<T>(
  items: readonly T[],
  limit: number,
  placeOf: (item: T) => string | number | readonly (string | number)[],
): { readonly data: readonly T[]; readonly next_cursor: string | null } {
  const data = items.slice(0, limit)
  const last = data.at(-1)
  if (last === undefined || items.length <= limit) return { data, next_cursor: null }
  return { data, next_cursor: encodeCursor([placeOf(last)].flat()) }
}

/** How many of `sizes` fit into `most` together: one at least, and `limit` at most. */
export function fitting(sizes: Iterable<number>, limit: number, most: number): number {
  let count = 0
  let sum = 0
  for (const size of sizes) {
    sum += size
    if (count === limit || (sum > most && count > 0)) break
    count += 1
  }
  return count
}
