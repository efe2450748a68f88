// The objects of a thread: bytes in a row where they are few, in R2 where they are many. An object is written once, is there
// before any row needs it, and goes a while after none does.

import type { FileStore } from './store.ts'

interface ObjectRow extends Record<string, SqlStorageValue> {
  id: number
  key: string | null
  data: ArrayBuffer | null
}

/** What is to be removed from the store. */
export interface Leftover extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly key: string
  /** Of an upload in parts that was begun; null: none was. */
  readonly upload: string | null
}

/** How many bytes. `stored`: with those on their way, and those that are to be removed. */
export interface Used {
  readonly kept: number
  readonly stored: number
}

/** Where the bytes of an object are. */
export type ObjectLocation =
  | { readonly key: string; readonly data: null }
  | { readonly key: null; readonly data: Uint8Array }

/** With the parts of those whose upload never came to its end. Rejects when the store fails. */
export async function removeLeft(store: FileStore, left: readonly Leftover[]): Promise<void> {
  for (const { key, upload } of left) if (upload !== null) await store.abort(key, upload)
  await store.remove(left.map(({ key }) => key))
}

/**
 * Objects that are still going, of a thread that was here before, make room for others of their numbers. They are swept by
 * their names.
 */
export function setAside(sql: SqlStorage): void {
  const { least } = sql.exec<{ least: number }>('SELECT coalesce(min(id), 0) AS least FROM objects').one()
  sql.exec('UPDATE objects SET id = ? - id, pinned = 0 WHERE id > 0', Math.min(0, least))
}

export class Objects {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** A place for bytes that are on their way to R2. No file needs it yet. */
  stage(key: string, bytes: number, at: number): number {
    return this.#insert(key, null, bytes, at)
  }

  /** Bytes that a file needs from now on. */
  keep(data: Uint8Array): number {
    return this.#insert(null, data, data.length, null)
  }

  #insert(key: string | null, data: Uint8Array | null, bytes: number, looseAt: number | null): number {
    const row = this.#sql
      .exec<{ id: number }>(
        'INSERT INTO objects (key, data, bytes, loose_at) VALUES (?, ?, ?, ?) RETURNING id',
        key,
        // A row takes a buffer, and a view may show a part of a larger one.
        data === null ? null : data.slice().buffer,
        bytes,
        looseAt,
      )
      .one()
    return row.id
  }

  /** It waits for a file. False: it was swept meanwhile, is being swept, or a file has it. */
  isStaged(id: number): boolean {
    return this.#sql.exec('SELECT 1 FROM objects WHERE id = ? AND loose_at > 0', id).toArray().length > 0
  }

  /** Staged at `at` and still waiting for a file: as if it had been staged at `since`, so that it is swept sooner. */
  hasten(id: number, at: number, since: number): boolean {
    const sql = 'UPDATE objects SET loose_at = ? WHERE id = ? AND loose_at = ? RETURNING id'
    return this.#sql.exec(sql, since, id, at).toArray().length > 0
  }

  /**
   * Its bytes, at most so many, come in parts, which R2 keeps until this upload ends or is aborted. False: it waits for none
   * any more.
   */
  inParts(id: number, upload: string, bytes: number): boolean {
    const sql = 'UPDATE objects SET upload = ?, bytes = ? WHERE id = ? AND loose_at > 0 RETURNING id'
    return this.#sql.exec(sql, upload, bytes, id).toArray().length > 0
  }

  /** Of those in R2, but one, that no file needs. Of one on its way it is what it may have at most. */
  looseBytes(but = 0): number {
    return this.#sql
      .exec<{ bytes: number }>(
        `SELECT coalesce(sum(bytes), 0) AS bytes FROM objects
         WHERE loose_at IS NOT NULL AND pinned = 0 AND key IS NOT NULL AND id != ?`,
        but,
      )
      .one().bytes
  }

  /** Bytes that files and messages need, and all that are stored, or on their way. */
  used(): Used {
    return this.#sql
      .exec<{ kept: number; stored: number }>(
        `SELECT coalesce(sum(CASE WHEN loose_at IS NULL OR pinned = 1 THEN bytes END), 0) AS kept,
           coalesce(sum(bytes), 0) AS stored FROM objects`,
      )
      .one()
  }

  /** A file needs this staged one from now on. */
  take(id: number, bytes: number): void {
    this.#sql.exec('UPDATE objects SET loose_at = NULL, upload = NULL, bytes = ? WHERE id = ?', bytes, id)
  }

  /** A message shows it from now on. */
  pin(id: number): void {
    this.#sql.exec('UPDATE objects SET pinned = 1 WHERE id = ?', id)
  }

  /** No file needs it any more. Bytes in a row go at once, those in R2 later: somebody may be reading them. */
  release(id: number, at: number): void {
    this.#sql.exec('DELETE FROM objects WHERE id = ? AND key IS NULL AND pinned = 0', id)
    this.#sql.exec('UPDATE objects SET loose_at = ? WHERE id = ? AND pinned = 0', at, id)
  }

  /** Null: it is gone. */
  find(id: number): ObjectLocation | null {
    const [row] = this.#sql.exec<ObjectRow>('SELECT id, key, data FROM objects WHERE id = ?', id).toArray()
    if (!row) return null
    if (row.key !== null) return { key: row.key, data: null }
    return row.data === null ? null : { key: null, data: new Uint8Array(row.data) }
  }

  /** When the oldest one that no file needs became so; null: there is none. */
  looseSince(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        'SELECT min(loose_at) AS at FROM objects WHERE loose_at IS NOT NULL AND pinned = 0',
      )
      .one().at
  }

  /**
   * Removes what no file has needed since `before`: bytes first, then the row, so that one that dies of it comes back.
   * At most `most` of them. Rejects when the store fails.
   */
  async sweep(store: FileStore, before: number, most: number): Promise<void> {
    const rows = this.#sql
      .exec<Leftover>(
        'SELECT id, key, upload FROM objects WHERE loose_at <= ? AND pinned = 0 AND key IS NOT NULL LIMIT ?',
        before,
        most,
      )
      .toArray()
    if (rows.length === 0) return
    // From here on none of them can be taken into use.
    for (const { id } of rows) this.#sql.exec('UPDATE objects SET loose_at = 0 WHERE id = ?', id)
    await removeLeft(store, rows)
    for (const { id } of rows) this.#sql.exec('DELETE FROM objects WHERE id = ?', id)
  }
}
