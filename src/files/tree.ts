// The files of one thread: the table of their paths and the objects with their bytes. Every change is checked completely before it
// is written; the caller's transaction makes it atomic.

import type { FileBody, FileChange } from '../agent/tool.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import {
  FINISHED_UPLOAD_RETENTION_MS,
  FILE_INLINE_MAX_BYTES,
  STAGED_FILE_RETENTION_MS,
} from '../limits/files.ts'
import { FILE_LOOSE_MAX_BYTES, SWEPT_OBJECTS_MAX } from './limits.ts'
import type { FileRow } from './access.ts'
import { findConflict } from './conflicts.ts'
import { mediaTypeOf } from './media-type.ts'
import { Objects, type ObjectLocation, type StorageUsage } from './objects.ts'
import { fullPath } from './path.ts'
import { checkQuotas, type FileQuotas, type FileTotals } from './quota.ts'
import type { FileStore } from './store.ts'
import { FileTable } from './table.ts'

export class FileTree {
  readonly #table: FileTable
  readonly #objects: Objects
  readonly #prefix: string
  /** For each active watch, the unannounced uploads that existed when it started or have appeared since, even briefly. */
  readonly #watches = new Set<Map<string, FileRow>>()

  /** All keys in the store begin with `prefix`. */
  constructor(sql: SqlStorage, prefix: string) {
    this.#table = new FileTable(sql)
    this.#objects = new Objects(sql)
    this.#prefix = prefix
  }

  /** Drops the cache, which may be wrong after a rollback of the rows. */
  dropCache(): void {
    this.#table.dropCache()
  }

  list(): readonly FileRow[] {
    return this.#table.list()
  }

  get(path: string): FileRow | undefined {
    return this.#table.get(path)
  }

  /** See FileTable. */
  pathVariant(path: string): string | null {
    return this.#table.pathVariant(path)
  }

  /** See FileTable. */
  isTaken(path: string): boolean {
    return this.#table.isTaken(path)
  }

  /** The location of the bytes of a file or of an image in a message, or null if they are lost. */
  locate(object: number): ObjectLocation | null {
    return this.#objects.find(object)
  }

  /** The bytes of an object, or null if they are lost. Rejects if the store fails. */
  async bytes(object: number, store: FileStore): Promise<Uint8Array | null> {
    const location = this.locate(object)
    return location && (location.data ?? (await store.get(location.key)))
  }

  /** A part of an object, or null if it is lost. Rejects if the store fails. */
  async range(object: number, offset: number, length: number, store: FileStore): Promise<Uint8Array | null> {
    const location = this.locate(object)
    if (!location || length === 0) return location && new Uint8Array()
    return location.data?.slice(offset, offset + length) ?? store.getRange(location.key ?? '', offset, length)
  }

  /**
   * Checks whether these changes can be written now. Failures: `stale_version` if a file is not in its expected state,
   * `invalid_request` if paths conflict, `too_large`, and `storage_full`.
   */
  check(changes: readonly FileChange[], quotas: FileQuotas): Result<null> {
    const conflict = findConflict(changes)
    if (conflict !== null) return fail('invalid_request', conflict)
    const removed = new Set(changes.filter(({ body }) => !body).map(({ path }) => path))
    let { files, bytes }: FileTotals = this.#table.totals
    let largest = 0
    let grows = false
    for (const { path, body, expect } of changes) {
      const before = this.#table.get(path)
      if (expect !== undefined && expect !== (before?.sha256 ?? null))
        return fail('stale_version', staleMessage(path, before))
      files += (body ? 1 : 0) - (before ? 1 : 0)
      bytes += (body?.bytes ?? 0) - (before?.bytes ?? 0)
      if (!body) continue
      const checked = this.#table.checkPath(path, removed)
      if (!checked.ok) return checked
      largest = Math.max(largest, body.bytes)
      grows ||= !before || body.bytes > before.bytes
    }
    // If a quota was lowered below what the thread already uses, shrinking and deleting files must remain possible.
    return grows ? checkQuotas(quotas, largest, { files, bytes }) : ok(null)
  }

  /**
   * Checks whether the quotas allow a file of this size as a replacement for `path`, or as a new file if `path` is null. Returns its
   * maximum size in bytes.
   */
  maxFileBytes(bytes: number, quotas: FileQuotas, path: string | null): Result<number> {
    const before = path === null ? undefined : this.#table.get(path)
    const { files, bytes: totalBytes } = this.#table.totals
    const otherBytes = totalBytes - (before?.bytes ?? 0)
    const checked = checkQuotas(quotas, bytes, { files: files + (before ? 0 : 1), bytes: otherBytes + bytes })
    // A file may always shrink, as in check().
    if (!checked.ok && !(before && bytes <= before.bytes)) return checked
    return ok(
      Math.max(before?.bytes ?? 0, Math.min(quotas.max_file_bytes, quotas.max_thread_bytes - otherBytes)),
    )
  }

  /** Creates an object for bytes that are to be uploaded to R2. Returns its number and its R2 key. */
  stage(token: string, bytes: number, at: number): { readonly object: number; readonly key: string } {
    const key = this.#prefix + token
    return { object: this.#objects.stage(key, bytes, at), key }
  }

  /** Records the end of an upload that was staged at `at`. Unless a file refers to its bytes, they are swept in FINISHED_UPLOAD_RETENTION_MS. */
  endUpload(object: number, at: number, now: number): boolean {
    return this.#objects.backdate(object, at, now - STAGED_FILE_RETENTION_MS + FINISHED_UPLOAD_RETENTION_MS)
  }

  /** See Objects. */
  usage(): StorageUsage {
    return this.#objects.usage()
  }

  /** See Objects. */
  recordUpload(object: number, upload: string, bytes: number): boolean {
    return this.#objects.recordUpload(object, upload, bytes)
  }

  /**
   * Checks whether the store may hold this many more bytes that no file needs yet, not counting the object `exceptId`. Fails with
   * `storage_full` and the time until the next sweep.
   */
  checkLooseBytes(bytes: number, now: number, exceptId?: number): Result<null> {
    if (this.#objects.looseBytes(exceptId) + bytes <= FILE_LOOSE_MAX_BYTES) return ok(null)
    const dueAt = Math.max(this.sweepDue() ?? now, now)
    return fail(
      'storage_full',
      'Too many files of this thread were replaced, or failed to upload, within the past hour, and their bytes have not been removed yet. Send this file again later.',
      { retryAfterS: Math.max(1, Math.ceil((dueAt - now) / 1000)) },
    )
  }

  /** Creates the body of a change. If it is large, its bytes are in the store when this resolves. Rejects if the store fails. */
  async storeBody(
    bytes: Uint8Array,
    sha256: string,
    store: FileStore,
    newToken: () => string,
    at: number,
  ): Promise<FileBody> {
    const size = bytes.length
    if (size <= FILE_INLINE_MAX_BYTES) return { sha256, bytes: size, data: bytes, object: null }
    const { object, key } = this.stage(newToken(), size, at)
    await store.put(key, bytes)
    return { sha256, bytes: size, data: null, object }
  }

  /** Checks all changes, then writes all of them or none. Returns the written rows in the order of the changes. */
  apply(
    changes: readonly FileChange[],
    quotas: FileQuotas,
    origin: FileRow['origin'],
    at: number,
  ): Result<readonly FileRow[]> {
    const checked = this.check(changes, quotas)
    if (!checked.ok) return checked
    const late = changes.find(({ body }) => body?.object != null && !this.#objects.isStaged(body.object))
    if (late)
      return fail('overloaded', `The upload of ${fullPath(late.path)} took too long. Send the file again.`)
    // Nothing may fail from here on, because the writes before a failure would remain.
    const rows: FileRow[] = []
    // Removals come first, so that a new file can take the name of a removed folder, and the reverse.
    for (const { path, body, known } of changes.toSorted(
      (a, b) => Number(a.body !== null) - Number(b.body !== null),
    )) {
      const before = this.#table.get(path)
      if (body) {
        const row: FileRow = {
          path,
          object: this.#objectOf(body),
          sha256: body.sha256,
          bytes: body.bytes,
          type: mediaTypeOf(path),
          origin,
          announced: origin === 'tool',
          // If the model knows identical bytes, it also knows these, whoever wrote them.
          known:
            before?.known === true && before.sha256 === body.sha256 ? true : (known ?? origin === 'tool'),
          createdAt: before?.createdAt ?? at,
          updatedAt: at,
        }
        this.#table.put(row)
        rows.push(row)
        if (origin === 'upload') for (const uploads of this.#watches) uploads.set(path, row)
        if (before) this.#objects.release(before.object, at)
      } else this.remove(path, at)
    }
    return ok(rows)
  }

  /** Removes a file, which needs no checks. Does nothing if there is none. */
  remove(path: string, at: number): void {
    const before = this.#table.get(path)
    if (!before) return
    this.#table.remove(path)
    this.#objects.release(before.object, at)
  }

  #objectOf({ data, object, bytes }: FileBody): number {
    if (object === null) return this.#objects.storeInRow(data ?? new Uint8Array())
    this.#objects.markUsed(object, bytes)
    return object
  }

  /** Keeps an object that a message shows, even if its file is removed. */
  pin(object: number): void {
    this.#objects.pin(object)
  }

  /** See FileTable. */
  markKnown(path: string, sha256: string): void {
    this.#table.markKnown(path, sha256)
  }

  /** See FileTable. */
  forgetKnown(): void {
    this.#table.forgetKnown()
  }

  /** The uploads that have not been announced to the model yet. */
  newUploads(): readonly FileRow[] {
    return this.#table.list().filter(({ announced }) => !announced)
  }

  /** Watches for uploads. `end` returns all unannounced uploads that existed since the start of the watch, even briefly. */
  watchNewUploads(): { readonly end: () => readonly FileRow[] } {
    const uploads = new Map(this.newUploads().map((row) => [row.path, row]))
    this.#watches.add(uploads)
    return {
      end: () => {
        this.#watches.delete(uploads)
        return [...uploads.values()]
      },
    }
  }

  /** See FileTable. */
  markAnnounced(message: number): void {
    this.#table.markAnnounced(message)
  }

  /** See FileTable. */
  markUnannounced(message: number): void {
    this.#table.markUnannounced(message)
  }

  /** The time of the next sweep (epoch ms), or null if files need all objects. */
  sweepDue(): number | null {
    const since = this.#objects.looseSince()
    return since === null ? null : since + STAGED_FILE_RETENTION_MS
  }

  /** See Objects. */
  async discard(objects: readonly number[], store: FileStore): Promise<void> {
    await this.#objects.discard(store, objects)
  }

  /** Sweeps the objects that are due. Rejects if the store fails. */
  async sweep(store: FileStore, now: number): Promise<void> {
    await this.#objects.sweep(store, now - STAGED_FILE_RETENTION_MS, SWEPT_OBJECTS_MAX)
  }
}

function staleMessage(path: string, current: FileRow | undefined): string {
  const state = current ? `It now has ${current.bytes} bytes` : 'It no longer exists'
  return `${fullPath(path)} has been changed by somebody else in the meantime. ${state}. Read it again before you write.`
}
