// The files of one thread: their table and their objects together. What changes them is checked here, whoever asks for it,
// and then written in one go; the caller's block makes it whole.

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
  /** Uploads that calls which are going on may read, for each of them. */
  readonly #readable = new Set<Map<string, FileRow>>()

  /** `prefix`: of the keys of its objects in the store. */
  constructor(sql: SqlStorage, prefix: string) {
    this.#table = new FileTable(sql)
    this.#objects = new Objects(sql)
    this.#prefix = prefix
  }

  /** What is kept in memory may be wrong: the rows say what is right. */
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

  /** Where the bytes of a file, or of an image that a message shows, are; null: they are lost. */
  held(object: number): ObjectLocation | null {
    return this.#objects.find(object)
  }

  /** The bytes themselves; null: they are lost. Rejects when the store fails. */
  async bytes(object: number, store: FileStore): Promise<Uint8Array | null> {
    const held = this.held(object)
    return held && (held.data ?? (await store.get(held.key)))
  }

  /**
   * Whether these changes could be written now. Failures: `stale_version` where another file is there than expected,
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
      const place = this.#table.place(path, leaving)
      if (!place.ok) return place
      largest = Math.max(largest, body.bytes)
      grows ||= !before || body.bytes > before.bytes
    }
    // Who lowers a quota leaves threads above it: there what shrinks or goes is still welcome.
    return grows ? fits(quotas, largest, { files, bytes }) : ok(null)
  }

  /**
   * Whether a file of this size would fit, in place of what lies at `path`, or as one more where that is null. Answers how
   * many bytes it may have at most.
   */
  room(bytes: number, quotas: FileQuotas, path: string | null): Result<number> {
    const before = path === null ? undefined : this.#table.get(path)
    const { files, bytes: all } = this.#table.totals
    const others = all - (before?.bytes ?? 0)
    const fit = fits(quotas, bytes, { files: files + (before ? 0 : 1), bytes: others + bytes })
    // As in check(): what shrinks is welcome.
    if (!fit.ok && !(before && bytes <= before.bytes)) return fit
    return ok(Math.max(before?.bytes ?? 0, Math.min(quotas.max_file_bytes, quotas.max_thread_bytes - others)))
  }

  /** A place for bytes that go to R2 first: its number, and the key to put them under. */
  stage(token: string, bytes: number, at: number): { readonly object: number; readonly key: string } {
    const key = this.#prefix + token
    return { object: this.#objects.stage(key, bytes, at), key }
  }

  /** The upload that was staged at `at` is over: unless a file has its bytes, they are swept within FILE_BROKEN_MS. */
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
   * Whether so many bytes more may lie in the store before a file needs them, in place of what one object has there.
   * Failure `storage_full` with the time of the next sweep.
   */
  looseRoom(bytes: number, now: number, but?: number): Result<null> {
    if (this.#objects.looseBytes(but) + bytes <= FILE_LOOSE_MAX_BYTES) return ok(null)
    const due = Math.max(this.sweepDue() ?? now, now)
    return fail(
      'storage_full',
      'Too much of this thread was replaced or sent in vain within the hour, and is not removed yet. Send this file later.',
      { retryAfterS: Math.max(1, Math.ceil((due - now) / 1000)) },
    )
  }

  /** Makes the body of a change. Larger ones are in the store when this resolves. Rejects when the store fails. */
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

  /** Checks, then writes: all of them or none. Answers the rows that it wrote, in their order. */
  apply(
    changes: readonly FileChange[],
    quotas: FileQuotas,
    origin: FileRow['origin'],
    at: number,
  ): Result<readonly FileRow[]> {
    const checked = this.check(changes, quotas)
    if (!checked.ok) return checked
    const late = changes.find(({ body }) => body?.object != null && !this.#objects.isStaged(body.object))
    if (late) return fail('overloaded', `The bytes of ${fullPath(late.path)} came too late. Send them again.`)
    // From here on nothing stands against any of them: what was written before a refusal would stay.
    const rows: FileRow[] = []
    // What goes makes room for what comes.
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
          told: origin === 'tool',
          // The same bytes once more are what the model knows, whoever brought them.
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

  /** What goes needs no room, so nobody is asked for quotas. Nothing where nothing lies. */
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

  /** A message shows this object from now on: it stays, whatever becomes of its path. */
  pin(object: number): void {
    this.#objects.pin(object)
  }

  known(path: string, sha256: string): void {
    this.#table.known(path, sha256)
  }

  /** Uploads that the model has not heard of. */
  news(): readonly FileRow[] {
    return this.#table.list().filter(({ told }) => !told)
  }

  /** From now on: `end` gives the uploads that the model had not heard of and that were here meanwhile, also for a moment. */
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
  told(message: number): void {
    this.#table.told(message)
  }

  /** See FileTable. */
  untold(message: number): void {
    this.#table.untold(message)
  }

  /** When objects that no file needs are to be swept next (epoch ms); null: there are none. */
  sweepDue(): number | null {
    const since = this.#objects.looseSince()
    return since === null ? null : since + FILE_STAGED_MS
  }

  /** Sweeps what is due. Rejects when the store fails. */
  async sweep(store: FileStore, now: number): Promise<void> {
    await this.#objects.sweep(store, now - FILE_STAGED_MS, SWEEP_OBJECTS)
  }
}

/** Why these could not lie side by side, whatever is there; null: they can. */
function clash(changes: readonly FileChange[]): string | null {
  if (changes.length < 2) return null
  const paths = new Set<string>()
  const files = new Map<string, string>()
  for (const { path, body } of changes) {
    if (paths.has(path)) return `${fullPath(path)} comes twice.`
    paths.add(path)
    if (!body) continue
    const other = files.get(folded(path))
    if (other !== undefined)
      return `${fullPath(path)} and ${fullPath(other)} differ in letter case only. Choose another name for one.`
    files.set(folded(path), path)
  }
  const folders = new Map<string, string>()
  for (const path of files.values())
    for (const folder of foldersOf(path)) {
      const file = files.get(folded(folder))
      if (file !== undefined) return `${fullPath(file)} is a file, so ${fullPath(path)} cannot lie below it.`
      const other = folders.get(folded(folder))
      if (other !== undefined && other !== folder)
        return `The folders ${fullPath(folder)} and ${fullPath(other)} differ in letter case only. Choose another name for one.`
      folders.set(folded(folder), folder)
    }
  return null
}

function staleMessage(path: string, before: FileRow | undefined): string {
  const now = before ? `It has ${before.bytes} bytes now` : 'It is not there any more'
  return `${fullPath(path)} was changed by somebody else meanwhile. ${now}. Look at it again, then write.`
}
