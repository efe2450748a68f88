// The list of a workspace's hooks. Everything else about a hook is stored in the hook's own object.

import type { HookInfo } from './api.ts'

export function addHook(sql: SqlStorage, { id, name, created_at }: HookInfo): void {
  sql.exec(
    'INSERT INTO hooks (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
    id,
    name,
    created_at,
  )
}

/** Idempotent: a hook that is not listed has already been removed. */
export function removeHook(sql: SqlStorage, hookId: string): void {
  sql.exec('DELETE FROM hooks WHERE id = ?', hookId)
}

export function listHooks(sql: SqlStorage): readonly HookInfo[] {
  type Row = { id: string; name: string; created_at: string }
  return sql.exec<Row>('SELECT id, name, created_at FROM hooks ORDER BY created_at, id').toArray()
}
