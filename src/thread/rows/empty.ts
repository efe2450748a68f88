// Whether a thread still waits for its first message, and until when.

import { EMPTY_THREAD_MS } from '../../limits/files.ts'
import type { Parts } from '../parts.ts'

/** No run was ever accepted here. */
export function isEmpty({ row, runs }: Parts<'row' | 'runs'>): boolean {
  return row.isBare && runs.none
}

/** When it is deleted (epoch ms); null: never. */
export function emptyUntil(thread: Parts<'row' | 'runs'>): number | null {
  return isEmpty(thread) ? thread.row.data.createdAt + EMPTY_THREAD_MS : null
}
