// The objects of a thread: small ones in a row, large ones in R2. An object is written once, before a row refers to it,
// and is removed some time after no row does.

import type { FileStore } from './store.ts'

interface ObjectRow extends Record<string, SqlStorageValue> {
  id: number
  key: string | null
  data: ArrayBuffer | null
}

/** An object to remove from the store. */
export interface Leftover extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly key: string
  /** The multipart upload that was started; null if there is none. */
  readonly upload: string | null
}

/** Bytes. `stored` includes objects that are being uploaded and those to be removed. */
export interface Used {
  readonly kept: number
  readonly stored: number
}

/** Where the bytes of an object are. */
export type ObjectLocation =
  | { readonly key: string; readonly data: null }
  | { readonly key: null; readonly data: Uint8Array }

/** Also aborts unfinished multipart uploads. Rejects when the store fails. */
export async function removeLeft(store: FileStore, left: readonly Leftover[]): Promise<void> {
  for (const { key, upload } of left) if (upload !== null) await store.abort(key, upload)
  await store.remove(left.map(({ key }) => key))
}

/**
 * Renumbers the objects of a deleted thread that are still to be removed, so that a new thread can use their numbers.
 * They are swept by their keys.
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

  /** A row for bytes that are being uploaded to R2. No file refers to it yet. */
  stage(key: string, bytes: number, at: number): number {
    return this.#insert(key, null, bytes, at)
  }

  /** Stores bytes that a file refers to from now on. */
  keep(data: Uint8Array): number {
    return this.#insert(null, data, data.length, null)
  }

  #insert(key: string | null, data: Uint8Array | null, bytes: number, looseAt: number | null): number {
    const row = this.#sql
      .exec<{ id: number }>(
        'INSERT INTO objects (key, data, bytes, loose_at) VALUES (?, ?, ?, ?) RETURNING id',
        key,
        // A row takes a buffer, and a view may show only a part of one.
        data === null ? null : data.slice().buffer,
        bytes,
        looseAt,
      )
      .one()
    return row.id
  }

  /** True: uploaded and waiting for a file. False: it was swept, is being swept, or a file has it. */
  isStaged(id: number): boolean {
    return this.#sql.exec('SELECT 1 FROM objects WHERE id = ? AND loose_at > 0', id).toArray().length > 0
  }

  /** Moves the time of an object staged at `at` that still waits for a file to `since`, so that it is swept sooner. */
  hasten(id: number, at: number, since: number): boolean {
    const sql = 'UPDATE objects SET loose_at = ? WHERE id = ? AND loose_at = ? RETURNING id'
    return this.#sql.exec(sql, since, id, at).toArray().length > 0
  }

  /**
   * Its bytes, at most this many, arrive in parts, which R2 keeps until the upload ends or is aborted. False: the
   * object is no longer staged.
   */
  inParts(id: number, upload: string, bytes: number): boolean {
    const sql = 'UPDATE objects SET upload = ?, bytes = ? WHERE id = ? AND loose_at > 0 RETURNING id'
    return this.#sql.exec(sql, upload, bytes, id).toArray().length > 0
  }

  /** Bytes in R2 that no file needs, without one object. An upload counts with its largest possible size. */
  looseBytes(but = 0): number {
    return this.#sql
      .exec<{ bytes: number }>(
        `SELECT coalesce(sum(bytes), 0) AS bytes FROM objects
         WHERE loose_at IS NOT NULL AND pinned = 0 AND key IS NOT NULL AND id != ?`,
        but,
      )
      .one().bytes
  }

  /** Bytes that files and messages need, and all bytes stored or being uploaded. */
  used(): Used {
    return this.#sql
      .exec<{ kept: number; stored: number }>(
        `SELECT coalesce(sum(CASE WHEN loose_at IS NULL OR pinned = 1 THEN bytes END), 0) AS kept,
           coalesce(sum(bytes), 0) AS stored FROM objects`,
      )
      .one()
  }

  /** A file refers to this staged object from now on. */
  take(id: number, bytes: number): void {
    this.#sql.exec('UPDATE objects SET loose_at = NULL, upload = NULL, bytes = ? WHERE id = ?', bytes, id)
  }

  /** A message shows this object from now on. */
  pin(id: number): void {
    this.#sql.exec('UPDATE objects SET pinned = 1 WHERE id = ?', id)
  }

  /**
   * No file refers to it any more. Bytes stored in a database row are deleted immediately; those in R2 are deleted
   * later, because a reader may still be streaming them.
   */
  release(id: number, at: number): void {
    this.#sql.exec('DELETE FROM objects WHERE id = ? AND key IS NULL AND pinned = 0', id)
    this.#sql.exec('UPDATE objects SET loose_at = ? WHERE id = ? AND pinned = 0', at, id)
  }

  /** Null if it was removed. */
  find(id: number): ObjectLocation | null {
    const [row] = this.#sql.exec<ObjectRow>('SELECT id, key, data FROM objects WHERE id = ?', id).toArray()
    if (!row) return null
    if (row.key !== null) return { key: row.key, data: null }
    return row.data === null ? null : { key: null, data: new Uint8Array(row.data) }
  }

  /** Since when the oldest unneeded object has been unneeded; null if there is none. */
  looseSince(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        'SELECT min(loose_at) AS at FROM objects WHERE loose_at IS NOT NULL AND pinned = 0',
      )
      .one().at
  }

  /**
   * Removes at most `most` objects that no file has needed since `before`: the bytes first, then the row, so that a
   * crash in between is retried. Rejects when the store fails.
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
    // From here on no file can take any of them.
    for (const { id } of rows) this.#sql.exec('UPDATE objects SET loose_at = 0 WHERE id = ?', id)
    await removeLeft(store, rows)
    for (const { id } of rows) this.#sql.exec('DELETE FROM objects WHERE id = ?', id)
  }
}
