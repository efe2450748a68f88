// The row of a hook: its configuration and secrets. Each function runs one or two synchronous statements and makes no
// decisions.

import type { HookConfig } from './api.ts'

/** What is stored as JSON: all fields of a hook but those with a column. */
type HookFields = Omit<HookConfig, 'id' | 'workspace' | 'secret'>

type HookRow = Pick<HookConfig, 'id' | 'workspace' | 'secret'> & {
  readonly removed: number
  readonly config: string
  readonly previous_secret: string | null
  readonly previous_until: number | null
}

export interface StoredHook extends HookConfig {
  /** If true, the hook is deleted once every promised run exists. */
  readonly removed: boolean
  /** The replaced secret, and until when it is valid, in epoch milliseconds. */
  readonly previous: { readonly secret: string; readonly until: number } | null
}

export function readHook(sql: SqlStorage): StoredHook | null {
  const query =
    'SELECT id, workspace, secret, previous_secret, previous_until, config, removed FROM hook WHERE k = 1'
  const row = sql.exec<HookRow>(query).toArray()[0]
  if (!row) return null
  const { id, workspace, secret, previous_secret, previous_until, config, removed } = row
  return {
    // The cast is safe: only writeHook and changeHook write this column.
    ...(JSON.parse(config) as HookFields),
    id,
    workspace,
    secret,
    removed: removed === 1,
    previous:
      previous_secret === null || previous_until === null
        ? null
        : { secret: previous_secret, until: previous_until },
  }
}

/** Creates the hook, or replaces it with its secrets. */
export function writeHook(sql: SqlStorage, hook: HookConfig): void {
  sql.exec(
    'INSERT OR REPLACE INTO hook (k, id, workspace, secret, config) VALUES (1, ?, ?, ?, ?)',
    hook.id,
    hook.workspace,
    hook.secret,
    fieldsOf(hook),
  )
}

/** Changes everything but the ID and the secrets. */
export function changeHook(sql: SqlStorage, hook: HookConfig): void {
  sql.exec('UPDATE hook SET config = ?', fieldsOf(hook))
}

// The fields with a column are left out.
function fieldsOf(hook: HookConfig): string {
  return JSON.stringify({ ...hook, id: undefined, workspace: undefined, secret: undefined })
}

/** Replaces the secret; the current one stays valid until `until`. */
export function replaceSecret(sql: SqlStorage, secret: string, until: number): void {
  const change = 'UPDATE hook SET previous_secret = secret, previous_until = ?, secret = ?'
  sql.exec(change, until, secret)
}

/** Deletes the secrets immediately. Waiting deliveries become due, so that they can end. */
export function markRemoved(sql: SqlStorage): void {
  sql.exec("UPDATE hook SET removed = 1, secret = '', previous_secret = NULL")
  sql.exec(
    "UPDATE deliveries SET state = 'recorded', next_try_at = 0, tries = 0 WHERE state IN ('recorded', 'paused')",
  )
}
