// Opaque page cursors. A cursor sent by a client is untrusted input and grants no access.

import { base64, fromBase64, fromUtf8, utf8 } from './bytes.ts'
import type { Failure } from './result.ts'

/** Encodes the position at which a page ends, as text that needs no escaping in a URL. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return base64(utf8(JSON.stringify(position)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The longest position contains a path of 1,024 bytes, in which each byte may be escaped. */
const CURSOR_MAX_CHARS = 3_000

/** Returns the position if its parts have exactly these types, otherwise null. */
export function decodeCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string,
  types: T,
): { readonly [K in keyof T]: T[K] extends 'string' ? string : number } | null {
  if (cursor.length > CURSOR_MAX_CHARS) return null
  const padded = cursor.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (cursor.length % 4)) % 4)
  const position = parseOrNull(fromUtf8(fromBase64(padded) ?? new Uint8Array()) ?? '')
  const isValid =
    Array.isArray(position) &&
    position.length === types.length &&
    position.every(
      (part, i) => typeof part === types[i] && (typeof part !== 'number' || Number.isFinite(part)),
    )
  // The cast is safe: each part was checked above.
  return isValid ? (position as never) : null
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error for a cursor that belongs to another list. */
export const BAD_CURSOR: Failure = {
  code: 'bad_cursor',
  detail: 'The cursor does not belong to this list. Start again without a cursor.',
}

/**
 * Builds a page from items, of which there must be one more than `limit` if there is another page.
 * `positionOf` returns the position of an item in its list.
 */
export function cutPage<T>(
  items: readonly T[],
  limit: number,
  positionOf: (item: T) => string | number | readonly (string | number)[],
): { readonly data: readonly T[]; readonly next_cursor: string | null } {
  const data = items.slice(0, limit)
  const last = data.at(-1)
  if (last === undefined || items.length <= limit) return { data, next_cursor: null }
  return { data, next_cursor: encodeCursor([positionOf(last)].flat()) }
}

/** Returns how many items from the start of `sizes` fit into `maxTotal`: at least one, at most `limit`. */
export function countThatFit(sizes: Iterable<number>, limit: number, maxTotal: number): number {
  let count = 0
  let total = 0
  for (const size of sizes) {
    total += size
    if (count === limit || (total > maxTotal && count > 0)) break
    count += 1
  }
  return count
}
