// The files of one thread: their table and their objects. Checks every change, then writes it in one go; the caller's
// transaction makes it atomic.

import type { FileBody, FileChange } from '../agent/tool.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { FILE_BROKEN_MS, FILE_INLINE_MAX_BYTES, FILE_STAGED_MS } from '../limits/files.ts'
import { FILE_LOOSE_MAX_BYTES, SWEEP_OBJECTS } from './limits.ts'
import type { FileRow } from './access.ts'
import { mediaTypeOf } from './media-type.ts'
import { Objects, type ObjectLocation, type Used } from './objects.ts'
import { folded, foldersOf, fullPath } from './path.ts'
import { fits, type FileQuotas, type Totals } from './quota.ts'
import type { FileStore } from './store.ts'
import { FileTable } from './table.ts'

export class FileTree {
  readonly #table: FileTable
  readonly #objects: Objects
  readonly #prefix: string
  /** For each running call, the uploads that it may read. */
  readonly #readable = new Set<Map<string, FileRow>>()

  /** `prefix`: of its keys in the store. */
  constructor(sql: SqlStorage, prefix: string) {
    this.#table = new FileTable(sql)
    this.#objects = new Objects(sql)
    this.#prefix = prefix
  }

  /** Drops the copies in memory, which may be wrong after a rollback. The rows are right. */
  reread(): void {
    this.#table.reread()
  }

  list(): readonly FileRow[] {
    return this.#table.list()
  }

  get(path: string): FileRow | undefined {
    return this.#table.get(path)
  }

  /** See FileTable. */
  twin(path: string): string | null {
    return this.#table.twin(path)
  }

  /** See FileTable. */
  isTaken(path: string): boolean {
    return this.#table.isTaken(path)
  }

  /** Where the bytes of a file, or of an image in a message, are; null if they are lost. */
  held(object: number): ObjectLocation | null {
    return this.#objects.find(object)
  }

  /** The bytes; null if they are lost. Rejects when the store fails. */
  async bytes(object: number, store: FileStore): Promise<Uint8Array | null> {
    const held = this.held(object)
    return held && (held.data ?? (await store.get(held.key)))
  }

  /**
   * Whether these changes can be written now. Failures: `stale_version` when the file is not the expected one,
   * `invalid_request` for a path that clashes, `too_large` and `storage_full`.
   */
  check(changes: readonly FileChange[], quotas: FileQuotas): Result<null> {
    const apart = clash(changes)
    if (apart !== null) return fail('invalid_request', apart)
    const leaving = new Set(changes.filter(({ body }) => !body).map(({ path }) => path))
    let { files, bytes }: Totals = this.#table.totals
    let largest = 0
    let grows = false
    for (const { path, body, expect } of changes) {
      const before = this.#table.get(path)
      if (expect !== undefined && expect !== (before?.sha256 ?? null))
        return fail('stale_version', staleMessage(path, before))
      files += (body ? 1 : 0) - (before ? 1 : 0)
      bytes += (body?.bytes ?? 0) - (before?.bytes ?? 0)
      if (!body) continue
      const placement = this.#table.checkPath(path, leaving)
      if (!placement.ok) return placement
      largest = Math.max(largest, body.bytes)
      grows ||= !before || body.bytes > before.bytes
    }
    // A quota may be lowered below what a thread has. Changes that shrink or delete files are still allowed.
    return grows ? fits(quotas, largest, { files, bytes }) : ok(null)
  }

  /**
   * Whether a file of this size would fit, as a replacement for `path`, or as a new file when `path` is null. Returns
   * the bytes that it may have at most.
   */
  room(bytes: number, quotas: FileQuotas, path: string | null): Result<number> {
    const before = path === null ? undefined : this.#table.get(path)
    const { files, bytes: all } = this.#table.totals
    const others = all - (before?.bytes ?? 0)
    const fit = fits(quotas, bytes, { files: files + (before ? 0 : 1), bytes: others + bytes })
    // As in check(): a file may shrink.
    if (!fit.ok && !(before && bytes <= before.bytes)) return fit
    return ok(Math.max(before?.bytes ?? 0, Math.min(quotas.max_file_bytes, quotas.max_thread_bytes - others)))
  }

  /** Reserves a row for bytes that go to R2 first. Returns its number and R2 key. */
  stage(token: string, bytes: number, at: number): { readonly object: number; readonly key: string } {
    const key = this.#prefix + token
    return { object: this.#objects.stage(key, bytes, at), key }
  }

  /** The upload that was staged at `at` is over. Unless a file has its bytes, they are swept within FILE_BROKEN_MS. */
  uploadOver(object: number, at: number, now: number): boolean {
    return this.#objects.hasten(object, at, now - FILE_STAGED_MS + FILE_BROKEN_MS)
  }

  /** See Objects. */
  used(): Used {
    return this.#objects.used()
  }

  /** See Objects. */
  inParts(object: number, upload: string, bytes: number): boolean {
    return this.#objects.inParts(object, upload, bytes)
  }

  /**
   * Whether the store may hold this many bytes more before a file needs them, not counting the object `but`. Failure
   * `storage_full`, with the time of the next sweep.
   */
  looseRoom(bytes: number, now: number, but?: number): Result<null> {
    if (this.#objects.looseBytes(but) + bytes <= FILE_LOOSE_MAX_BYTES) return ok(null)
    const due = Math.max(this.sweepDue() ?? now, now)
    return fail(
      'storage_full',
      'Within the last hour, too many files of this thread were replaced or uploaded without success, and their bytes are not removed yet. Send this file later.',
      { retryAfterS: Math.max(1, Math.ceil((due - now) / 1000)) },
    )
  }

  /** Makes the body of a change. A large one is in the store when this resolves. Rejects when the store fails. */
  async bodyOf(
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

  /** Checks, then writes: all or none. Returns the rows that it wrote, in order. */
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
      return fail('overloaded', `The bytes of ${fullPath(late.path)} arrived too late. Send them again.`)
    // Nothing may fail from here on: writes before a failure would remain.
    const rows: FileRow[] = []
    // Removals first, to make space for new files.
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
          // Identical bytes remain known, whoever wrote them.
          known:
            before?.known === true && before.sha256 === body.sha256 ? true : (known ?? origin === 'tool'),
          createdAt: before?.createdAt ?? at,
          updatedAt: at,
        }
        this.#table.put(row)
        rows.push(row)
        if (origin === 'upload') for (const seen of this.#readable) seen.set(path, row)
        if (before) this.#objects.release(before.object, at)
      } else this.remove(path, at)
    }
    return ok(rows)
  }

  /** A removal needs no quota check. Does nothing when there is no file. */
  remove(path: string, at: number): void {
    const before = this.#table.get(path)
    if (!before) return
    this.#table.remove(path)
    this.#objects.release(before.object, at)
  }

  #objectOf({ data, object, bytes }: FileBody): number {
    if (object === null) return this.#objects.keep(data ?? new Uint8Array())
    this.#objects.take(object, bytes)
    return object
  }

  /** A message shows this object from now on: it is kept, even when the file is removed. */
  pin(object: number): void {
    this.#objects.pin(object)
  }

  known(path: string, sha256: string): void {
    this.#table.known(path, sha256)
  }

  /** Uploads that were not announced to the model yet. */
  news(): readonly FileRow[] {
    return this.#table.list().filter(({ announced }) => !announced)
  }

  /** Records uploads from now on. `end` returns those that were not announced and existed meanwhile, even briefly. */
  watchNews(): { readonly end: () => readonly FileRow[] } {
    const seen = new Map(this.news().map((row) => [row.path, row]))
    this.#readable.add(seen)
    return {
      end: () => {
        this.#readable.delete(seen)
        return [...seen.values()]
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

  /** When the next objects that no file needs are due for a sweep (epoch ms); null if there are none. */
  sweepDue(): number | null {
    const since = this.#objects.looseSince()
    return since === null ? null : since + FILE_STAGED_MS
  }

  /** Sweeps the objects that are due. Rejects when the store fails. */
  async sweep(store: FileStore, now: number): Promise<void> {
    await this.#objects.sweep(store, now - FILE_STAGED_MS, SWEEP_OBJECTS)
  }
}

/** Why these changes contradict each other, regardless of existing files; null if they do not. */
function clash(changes: readonly FileChange[]): string | null {
  if (changes.length < 2) return null
  const paths = new Set<string>()
  const files = new Map<string, string>()
  for (const { path, body } of changes) {
    if (paths.has(path)) return `${fullPath(path)} is named twice.`
    paths.add(path)
    if (!body) continue
    const other = files.get(folded(path))
    if (other !== undefined)
      return `${fullPath(path)} and ${fullPath(other)} differ only in letter case. Choose another name for one.`
    files.set(folded(path), path)
  }
  const folders = new Map<string, string>()
  for (const path of files.values())
    for (const folder of foldersOf(path)) {
      const file = files.get(folded(folder))
      if (file !== undefined) return `${fullPath(file)} is a file, so ${fullPath(path)} cannot be in it.`
      const other = folders.get(folded(folder))
      if (other !== undefined && other !== folder)
        return `The folders ${fullPath(folder)} and ${fullPath(other)} differ only in letter case. Choose another name for one.`
      folders.set(folded(folder), folder)
    }
  return null
}

function staleMessage(path: string, before: FileRow | undefined): string {
  const now = before ? `It has ${before.bytes} bytes now` : 'It does not exist any more'
  return `${fullPath(path)} was changed by somebody else meanwhile. ${now}. Look at it again, then write.`
}
