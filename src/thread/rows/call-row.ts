// The row of a tool call as it is stored, and the parts that its statements share.

export interface CallRow extends Record<string, SqlStorageValue> {
  ord: number
  effect: string
  state: string
  tries: number
  started_at: number | null
  made: number
  content: string | null
  is_error: number | null
  notes: string | null
}

export const WHERE_CALL = 'run_id = ? AND message = ? AND ord = ?'

/**
 * For a row that already exists: a `read` call may have got it before its start, which is written only now. A start that is on
 * disk stays.
 */
export const KEEP_START =
  'tries = max(tries, excluded.tries), started_at = coalesce(excluded.started_at, started_at)'
