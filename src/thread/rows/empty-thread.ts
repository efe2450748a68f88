// Tells whether a thread still waits for its first message, and how long it may wait.

import { EMPTY_THREAD_RETENTION_MS } from '../../limits/files.ts'
import type { Parts } from '../parts.ts'

/** True if no run was ever accepted in this thread. */
export function isEmpty({ row, runs }: Parts<'row' | 'runs'>): boolean {
  return row.hasNoPrefix && runs.isEmpty
}

/** When the thread is deleted if it is still empty (epoch milliseconds), or null if it is not empty. */
export function emptyUntil(thread: Parts<'row' | 'runs'>): number | null {
  return isEmpty(thread) ? thread.row.data.createdAt + EMPTY_THREAD_RETENTION_MS : null
}
