// Stores the objects of a thread, which hold the bytes of its files: small ones in a database row, large ones
// in R2. An object is written once, before a file refers to it, and is removed some time after the last
// reference to it.

import type { FileStore } from './store.ts'

interface ObjectRow extends Record<string, SqlStorageValue> {
  id: number
  key: string | null
  data: ArrayBuffer | null
}

/** An object that is still to be removed from R2. */
export interface Leftover extends Record<string, SqlStorageValue> {
  readonly id: number
  readonly key: string
  /** The id of a multipart upload that may be unfinished, or null if there is none. */
  readonly upload: string | null
}

/**
 * The bytes that files and messages need (`kept`), and all bytes, including unfinished uploads and objects to
 * be removed (`stored`).
 */
export interface StorageUsage {
  readonly kept: number
  readonly stored: number
}

/** The location of an object's bytes: an R2 key, or the bytes from a row. */
export type ObjectLocation =
  | { readonly key: string; readonly data: null }
  | { readonly key: null; readonly data: Uint8Array }

/** Removes these objects from R2 and aborts their unfinished multipart uploads. Rejects if the store fails. */
export async function removeLeftovers(store: FileStore, leftovers: readonly Leftover[]): Promise<void> {
  for (const { key, upload } of leftovers) if (upload !== null) await store.abort(key, upload)
  await store.remove(leftovers.map(({ key }) => key))
}

/**
 * Gives negative ids to the objects of a deleted thread that are still to be removed, so that a new thread can use their ids. The
 * sweep finds them by their keys.
 */
export function renumberLeftovers(sql: SqlStorage): void {
  const { minId } = sql.exec<{ minId: number }>('SELECT coalesce(min(id), 0) AS minId FROM objects').one()
  sql.exec('UPDATE objects SET id = ? - id, pinned = 0 WHERE id > 0', Math.min(0, minId))
}

export class Objects {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Inserts a row for bytes that are about to be uploaded to R2 and returns its id. No file refers to the object yet. */
  stage(key: string, bytes: number, at: number): number {
    return this.#insert(key, null, bytes, at)
  }

  /** Stores the bytes of a file in a row and returns the object's id. */
  storeInRow(data: Uint8Array): number {
    return this.#insert(null, data, data.length, null)
  }

  #insert(key: string | null, data: Uint8Array | null, bytes: number, looseAt: number | null): number {
    const row = this.#sql
      .exec<{ id: number }>(
        'INSERT INTO objects (key, data, bytes, loose_at) VALUES (?, ?, ?, ?) RETURNING id',
        key,
        // SQLite accepts only complete buffers, and a view may cover a part of one.
        data === null ? null : data.slice().buffer,
        bytes,
        looseAt,
      )
      .one()
    return row.id
  }

  /** Whether the object is waiting for a file to refer to it. False if a file does, or if it has been or is being swept. */
  isStaged(id: number): boolean {
    return this.#sql.exec('SELECT 1 FROM objects WHERE id = ? AND loose_at > 0', id).toArray().length > 0
  }

  /** Backdates an object that was staged at `at` to `since`, so that it is swept sooner. Returns false if it is no longer staged. */
  backdate(id: number, at: number, since: number): boolean {
    const sql = 'UPDATE objects SET loose_at = ? WHERE id = ? AND loose_at = ? RETURNING id'
    return this.#sql.exec(sql, since, id, at).toArray().length > 0
  }

  /**
   * Records the multipart upload of a staged object and its maximum size. R2 keeps the parts until the upload is completed or
   * aborted. Returns false if the object is no longer staged.
   */
  recordUpload(id: number, upload: string, bytes: number): boolean {
    const sql = 'UPDATE objects SET upload = ?, bytes = ? WHERE id = ? AND loose_at > 0 RETURNING id'
    return this.#sql.exec(sql, upload, bytes, id).toArray().length > 0
  }

  /** The bytes in R2 that no file needs, except those of one object. An unfinished upload counts with its maximum size. */
  looseBytes(exceptId = 0): number {
    return this.#sql
      .exec<{ bytes: number }>(
        `SELECT coalesce(sum(bytes), 0) AS bytes FROM objects
         WHERE loose_at IS NOT NULL AND pinned = 0 AND key IS NOT NULL AND id != ?`,
        exceptId,
      )
      .one().bytes
  }

  usage(): StorageUsage {
    return this.#sql
      .exec<{ kept: number; stored: number }>(
        `SELECT coalesce(sum(CASE WHEN loose_at IS NULL OR pinned = 1 THEN bytes END), 0) AS kept,
           coalesce(sum(bytes), 0) AS stored FROM objects`,
      )
      .one()
  }

  /** Records that a file refers to this staged object. */
  markUsed(id: number, bytes: number): void {
    this.#sql.exec('UPDATE objects SET loose_at = NULL, upload = NULL, bytes = ? WHERE id = ?', bytes, id)
  }

  /** Records that a message shows this object, which is then kept as long as the thread. */
  pin(id: number): void {
    this.#sql.exec('UPDATE objects SET pinned = 1 WHERE id = ?', id)
  }

  /**
   * Records that no file refers to this object. Bytes stored in a database row are deleted immediately; those
   * in R2 are deleted later, because a reader may still be streaming them.
   */
  release(id: number, at: number): void {
    this.#sql.exec('DELETE FROM objects WHERE id = ? AND key IS NULL AND pinned = 0', id)
    this.#sql.exec('UPDATE objects SET loose_at = ? WHERE id = ? AND pinned = 0', at, id)
  }

  /** The location of the object's bytes, or null if they were removed. */
  find(id: number): ObjectLocation | null {
    const [row] = this.#sql.exec<ObjectRow>('SELECT id, key, data FROM objects WHERE id = ?', id).toArray()
    if (!row) return null
    if (row.key !== null) return { key: row.key, data: null }
    return row.data === null ? null : { key: null, data: new Uint8Array(row.data) }
  }

  /** The earliest time since which an object has been unneeded, or null if all are needed. */
  looseSince(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        'SELECT min(loose_at) AS at FROM objects WHERE loose_at IS NOT NULL AND pinned = 0',
      )
      .one().at
  }

  /**
   * Removes up to `limit` objects that no file has needed since `before`. Deletes the bytes before the row, so that a sweep
   * interrupted by a crash is repeated. Rejects if the store fails.
   */
  async sweep(store: FileStore, before: number, limit: number): Promise<void> {
    const rows = this.#sql
      .exec<Leftover>(
        'SELECT id, key, upload FROM objects WHERE loose_at <= ? AND pinned = 0 AND key IS NOT NULL LIMIT ?',
        before,
        limit,
      )
      .toArray()
    await this.#removeLoose(store, rows)
  }

  /** Removes staged objects that no file will refer to. Rejects if the store fails. */
  async discard(store: FileStore, ids: readonly number[]): Promise<void> {
    const rows = this.#sql
      .exec<Leftover>(
        `SELECT id, key, upload FROM objects
         WHERE id IN (SELECT value FROM json_each(?)) AND loose_at > 0 AND pinned = 0 AND key IS NOT NULL`,
        JSON.stringify(ids),
      )
      .toArray()
    await this.#removeLoose(store, rows)
  }

  async #removeLoose(store: FileStore, rows: readonly Leftover[]): Promise<void> {
    if (rows.length === 0) return
    // Marks the objects, so that no file can refer to any of them from now on.
    for (const { id } of rows) this.#sql.exec('UPDATE objects SET loose_at = 0 WHERE id = ?', id)
    await removeLeftovers(store, rows)
    for (const { id } of rows) this.#sql.exec('DELETE FROM objects WHERE id = ?', id)
  }
}
