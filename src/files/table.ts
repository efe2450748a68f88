// The database rows of a thread's files, cached in memory. There are at most a few thousand.

import { fail, ok, type Result } from '../lib/result.ts'
import type { FileRow } from './access.ts'
import { parentFolders, foldPath, fullPath } from './path.ts'
import type { FileTotals } from './quota.ts'

interface Columns extends Record<string, SqlStorageValue> {
  path: string
  object: number
  sha256: string
  bytes: number
  type: string
  origin: string
  announced: number
  known: string | null
  created_at: number
  updated_at: number
}

const NO_PATHS: ReadonlySet<string> = new Set()

export class FileTable {
  readonly #sql: SqlStorage
  #rows: Map<string, FileRow> | null = null
  /** The paths of all files and folders by their folded form. `files` is the number of files in a folder, and 0 for a file. */
  #names = new Map<string, { readonly path: string; files: number }>()
  #bytes = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Drops the cache, which may be wrong after a rollback of the rows. */
  dropCache(): void {
    this.#rows = null
  }

  get #cachedRows(): Map<string, FileRow> {
    if (this.#rows) return this.#rows
    const rows = new Map<string, FileRow>()
    this.#rows = rows
    this.#names = new Map()
    this.#bytes = 0
    for (const row of this.#sql.exec<Columns>('SELECT * FROM files ORDER BY path'))
      this.#addToCache(rowOf(row))
    return rows
  }

  #addToCache(row: FileRow): void {
    this.#rows?.set(row.path, row)
    this.#bytes += row.bytes
    this.#names.set(foldPath(row.path), { path: row.path, files: 0 })
    for (const folder of parentFolders(row.path)) {
      const entry = this.#names.get(foldPath(folder))
      if (entry) entry.files += 1
      else this.#names.set(foldPath(folder), { path: folder, files: 1 })
    }
  }

  #removeFromCache(row: FileRow): void {
    this.#rows?.delete(row.path)
    this.#bytes -= row.bytes
    this.#names.delete(foldPath(row.path))
    for (const folder of parentFolders(row.path)) {
      const entry = this.#names.get(foldPath(folder))
      if (entry && --entry.files === 0) this.#names.delete(foldPath(folder))
    }
  }

  /** All rows, sorted by path in code unit order. */
  list(): readonly FileRow[] {
    return [...this.#cachedRows.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  get(path: string): FileRow | undefined {
    return this.#cachedRows.get(path)
  }

  get totals(): FileTotals {
    return { files: this.#cachedRows.size, bytes: this.#bytes }
  }

  /** The existing path that differs from this one only in letter case or Unicode form, or null if there is none. */
  pathVariant(path: string): string | null {
    void this.#cachedRows
    const entry = this.#names.get(foldPath(path))
    return entry && entry.path !== path ? entry.path : null
  }

  /** Whether a file or folder has this path, ignoring letter case and Unicode form. */
  isTaken(path: string): boolean {
    void this.#cachedRows
    return this.#names.has(foldPath(path))
  }

  /** Checks whether a file can have this path after the paths in `removed` are deleted. Failure: `invalid_request`. */
  checkPath(path: string, removed: ReadonlySet<string> = NO_PATHS): Result<null> {
    const all = this.#cachedRows
    if (all.has(path)) return ok(null)
    const existing = this.#names.get(foldPath(path))
    const remains = existing && this.#remains(existing, removed)
    if (remains && existing.path !== path)
      return fail(
        'invalid_request',
        `${fullPath(existing.path)} already exists, and ${fullPath(path)} differs from it only in letter case. Use the existing path, or choose another name.`,
      )
    if (remains)
      return fail(
        'invalid_request',
        `${fullPath(path)} is a folder. Choose another name, or a file in that folder.`,
      )
    for (const folder of parentFolders(path)) {
      const entry = this.#names.get(foldPath(folder))
      if (!entry || !this.#remains(entry, removed)) continue
      if (all.has(entry.path))
        return fail(
          'invalid_request',
          `${fullPath(entry.path)} is a file, so it cannot contain other files. Choose another folder.`,
        )
      if (entry.path !== folder)
        return fail(
          'invalid_request',
          `The folder ${fullPath(entry.path)} already exists, and ${fullPath(folder)} differs from it only in letter case. Use the existing spelling.`,
        )
    }
    return ok(null)
  }

  /** Whether the file, or any file in the folder, remains after the paths in `removed` are deleted. */
  #remains(
    { path, files }: { readonly path: string; readonly files: number },
    removed: ReadonlySet<string>,
  ): boolean {
    if (removed.size === 0) return true
    if (files === 0) return !removed.has(path)
    const inFolder = [...removed].filter(
      (removedPath) => removedPath.startsWith(`${path}/`) && this.#cachedRows.has(removedPath),
    )
    return inFolder.length < files
  }

  /** Inserts or replaces the row of a path. */
  put(row: FileRow): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO files (path, object, sha256, bytes, type, origin, announced, known, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.path,
      row.object,
      row.sha256,
      row.bytes,
      row.type,
      row.origin,
      row.announced ? -1 : 0,
      row.known ? row.sha256 : null,
      row.createdAt,
      row.updatedAt,
    )
    const before = this.#cachedRows.get(row.path)
    if (before) this.#removeFromCache(before)
    this.#addToCache(row)
  }

  remove(path: string): void {
    const row = this.get(path)
    if (!row) return
    this.#sql.exec('DELETE FROM files WHERE path = ?', path)
    this.#removeFromCache(row)
  }

  /** Records that the model knows this content. Does nothing if the file no longer has it. */
  markKnown(path: string, sha256: string): void {
    const row = this.get(path)
    if (!row || row.known || row.sha256 !== sha256) return
    this.#sql.exec('UPDATE files SET known = ? WHERE path = ?', sha256, path)
    this.#rows?.set(path, { ...row, known: true })
  }

  /** Records that the model no longer knows the content of any file. */
  forgetKnown(): void {
    this.#sql.exec('UPDATE files SET known = NULL WHERE known IS NOT NULL')
    this.dropCache()
  }

  /** Records that this message announced all new uploads to the model. */
  markAnnounced(message: number): void {
    this.#sql.exec('UPDATE files SET announced = ? WHERE announced = 0', message)
    for (const row of this.list()) if (!row.announced) this.#rows?.set(row.path, { ...row, announced: true })
  }

  /** Reverts markAnnounced for a message that never reached the model. */
  markUnannounced(message: number): void {
    this.#sql.exec('UPDATE files SET announced = 0 WHERE announced = ?', message)
    this.dropCache()
  }
}

function rowOf(row: Columns): FileRow {
  return {
    path: row.path,
    object: row.object,
    sha256: row.sha256,
    bytes: row.bytes,
    type: row.type,
    origin: row.origin as FileRow['origin'], // only this file writes the column
    announced: row.announced !== 0,
    known: row.known === row.sha256,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
