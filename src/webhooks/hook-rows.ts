// The row of a hook: its configuration and sealed secrets. Each function runs one or two synchronous statements and makes no
// decisions.

import type { SealedSigning } from '../secrets/signing.ts'
import type { HookConfig } from './api.ts'

/** What is stored as JSON: all fields of a hook but those with a column. */
type HookFields = Omit<HookConfig, 'id' | 'workspace' | 'secret'>

type HookRow = Pick<StoredHook, 'id' | 'workspace' | 'sealed'> & {
  readonly removed: number
  readonly config: string
  readonly previous_sealed: string | null
  readonly previous_until: number | null
}

export interface StoredHook extends Omit<HookConfig, 'secret'>, SealedSigning {
  /** If true, the hook is deleted once every promised run exists. */
  readonly removed: boolean
}

export function readHook(sql: SqlStorage): StoredHook | null {
  const query =
    'SELECT id, workspace, sealed, previous_sealed, previous_until, config, removed FROM hook WHERE k = 1'
  const row = sql.exec<HookRow>(query).toArray()[0]
  if (!row) return null
  const { id, workspace, sealed, previous_sealed, previous_until, config, removed } = row
  return {
    // The cast is safe: only writeHook and changeHook write this column.
    ...(JSON.parse(config) as HookFields),
    id,
    workspace,
    sealed,
    removed: removed === 1,
    previous:
      previous_sealed === null || previous_until === null
        ? null
        : { sealed: previous_sealed, until: previous_until },
  }
}

/** Creates the hook, or replaces it with its secrets. */
export function writeHook(sql: SqlStorage, hook: Omit<HookConfig, 'secret'>, sealed: string): void {
  sql.exec(
    'INSERT OR REPLACE INTO hook (k, id, workspace, sealed, config) VALUES (1, ?, ?, ?, ?)',
    hook.id,
    hook.workspace,
    sealed,
    fieldsOf(hook),
  )
}

/** Changes everything but the ID and the secrets. */
export function changeHook(sql: SqlStorage, hook: Omit<HookConfig, 'secret'>): void {
  sql.exec('UPDATE hook SET config = ?', fieldsOf(hook))
}

// The fields with a column are left out.
function fieldsOf(hook: Omit<HookConfig, 'secret'>): string {
  return JSON.stringify({ ...hook, id: undefined, workspace: undefined, secret: undefined })
}

/** Replaces the secret; the current one stays valid until `until`. */
export function replaceSecret(sql: SqlStorage, sealed: string, until: number): void {
  const change = 'UPDATE hook SET previous_sealed = sealed, previous_until = ?, sealed = ?'
  sql.exec(change, until, sealed)
}

/** The same secret under another key. */
export function resealHook(sql: SqlStorage, from: string, to: string): void {
  sql.exec('UPDATE hook SET sealed = ?2 WHERE sealed = ?1', from, to)
  sql.exec('UPDATE hook SET previous_sealed = ?2 WHERE previous_sealed = ?1', from, to)
}

/** Deletes the secrets immediately. Waiting deliveries become due, so that they can end. */
export function markRemoved(sql: SqlStorage): void {
  sql.exec("UPDATE hook SET removed = 1, sealed = '', previous_sealed = NULL")
  sql.exec(
    "UPDATE deliveries SET state = 'recorded', next_try_at = 0, tries = 0 WHERE state IN ('recorded', 'paused')",
  )
}
