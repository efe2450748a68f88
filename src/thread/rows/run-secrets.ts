// Stores the encrypted secrets that came with a run's request. They are deleted when the run ends.

import { createTable, hasTable } from './on-demand.ts'

/** Encrypted secrets by name. */
type SealedByName = Readonly<Record<string, string>>

export function insertRunSecrets(sql: SqlStorage, runId: string, sealed: SealedByName): void {
  for (const [name, sealedValue] of Object.entries(sealed)) {
    createTable(sql, 'run_secrets')
    sql.exec('INSERT INTO run_secrets (run_id, name, sealed) VALUES (?, ?, ?)', runId, name, sealedValue)
  }
}

export function readRunSecrets(sql: SqlStorage, runId: string): SealedByName {
  if (!hasTable(sql, 'run_secrets')) return {}
  const rows = sql
    .exec<{ name: string; sealed: string }>('SELECT name, sealed FROM run_secrets WHERE run_id = ?', runId)
    .toArray()
  return Object.fromEntries(rows.map(({ name, sealed }) => [name, sealed]))
}

export function deleteRunSecrets(sql: SqlStorage, runId: string): void {
  if (hasTable(sql, 'run_secrets')) sql.exec('DELETE FROM run_secrets WHERE run_id = ?', runId)
}
