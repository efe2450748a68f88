// The operations of a person on the files of a thread: listing, reading, writing and removing them. The bytes of large files
// go directly to and from the store, not through this object.

import type { FileChange } from '../agent/tool.ts'
import { foldPath, hrefOf } from '../files/path.ts'
import type { FileRow } from '../files/access.ts'
import { growthOf } from '../files/tree-access.ts'
import { utf8 } from '../lib/bytes.ts'
import { cutPage, decodeCursor, BAD_CURSOR } from '../lib/cursor.ts'
import { rfc3339 } from '../lib/clock.ts'
import { logText } from '../lib/redact.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { cutBytes } from '../lib/text.ts'
import { FILE_NAME_MAX_BYTES, STAGED_FILE_RETENTION_MS, UPLOAD_PART_BYTES } from '../limits/files.ts'
import { REPORT_RETRY_PAUSE_MS } from '../limits/runs.ts'
import type { FileContent, FileInfo, Page } from './api.ts'
import type { FilePut, StagedFile } from './files-api.ts'
import { releaseSpaceInBackground, spaceOwner, reserveSpace } from './executor/file-space.ts'
import type { Parts } from './parts.ts'
import { StagedUpload } from './staged-upload.ts'

type Thread = Parts<
  'ctx' | 'row' | 'files' | 'log' | 'alarm' | 'atomically' | 'closing',
  'now' | 'newId' | 'quotas' | 'workspace'
>

/** Longest suffix that is treated as a file extension, such as `.tar.gz`. */
const EXTENSION_MAX_CHARS = 16

const NO_THREAD = fail('not_found', 'There is no such thread.')
const STALE_VERSION = fail(
  'stale_version',
  'The current version of the file is not the one that the request names. Read the file again and retry with its new version.',
)
const NO_FILE = fail('not_found', 'There is no such file in this thread.')

function infoOf(threadId: string, row: FileRow): FileInfo {
  return {
    path: row.path,
    bytes: row.bytes,
    sha256: row.sha256,
    media_type: row.type,
    origin: row.origin,
    created_at: rfc3339(row.createdAt),
    updated_at: rfc3339(row.updatedAt),
    href: hrefOf(threadId, row.path),
  }
}

/** Lists the files whose paths start with `prefix`, sorted by path, starting after the cursor. */
export function listFiles(
  { row, files }: Thread,
  prefix: string,
  cursor: string | null,
  limit: number,
): Result<Page<FileInfo>> {
  const after = cursor === null ? [''] : decodeCursor(cursor, ['string'])
  if (!after) return err(BAD_CURSOR)
  const rows = files.list().filter(({ path }) => path > after[0] && path.startsWith(prefix))
  const page = cutPage(rows.slice(0, limit + 1), limit, ({ path }) => path)
  return ok({ data: page.data.map((file) => infoOf(row.data.id, file)), next_cursor: page.next_cursor })
}

/** Returns a file with its bytes, or with its key in the store. */
export function fileContent({ row, files }: Thread, path: string): Result<FileContent> {
  const file = files.get(path)
  const content = file && files.locate(file.object)
  if (!file || !content) return NO_FILE
  return ok({ ...infoOf(row.data.id, file), data: content.data, key: content.key })
}

/** Whether the file has the version that a put expects (see FilePut). */
function isExpectedVersion(file: FileRow | undefined, expect: string | null | undefined): boolean {
  return expect === undefined || expect === (file?.sha256 ?? null) || (expect === '*' && file !== undefined)
}

/**
 * Reserves space for a file whose bytes are sent to the store first; they are deleted if no put follows.
 * `expect` has the value that the put will have, which checks it again.
 */
export async function stageFile(
  thread: Thread,
  bytes: number,
  path: string | null,
  expect?: string | null,
): Promise<Result<StagedFile>> {
  const { files, ports, alarm, row } = thread
  const quotas = await ports.quotas(row.data.workspace)
  if (!quotas.ok) return quotas
  if (thread.closing) return NO_THREAD
  // This only checks whether the upload can succeed at all; putFiles() validates the path once the bytes have
  // arrived. If the size is unknown, at most one part arrives before the next check.
  const maxBytes = Math.max(bytes, UPLOAD_PART_BYTES)
  const checkSpace = (): Result<number> => {
    if (path !== null && !isExpectedVersion(files.get(path), expect)) return STALE_VERSION
    const space = files.maxFileBytes(bytes, quotas.value, path)
    const looseCheck = files.checkLooseBytes(maxBytes, ports.now())
    return space.ok && !looseCheck.ok ? looseCheck : space
  }
  const firstCheck = checkSpace()
  if (!firstCheck.ok) return firstCheck
  const currentBytes = path === null ? 0 : (files.get(path)?.bytes ?? 0)
  const reserved = await reserveSpace(spaceOwner(thread), Math.max(0, bytes - currentBytes), maxBytes)
  if (!reserved.ok) return reserved
  if (thread.closing) return NO_THREAD
  const secondCheck = checkSpace()
  if (!secondCheck.ok) return secondCheck
  const now = ports.now()
  const staged = files.stage(ports.newId('obj'), maxBytes, now)
  void alarm.setNoLaterThan(now + STAGED_FILE_RETENTION_MS)
  await thread.log.sync()
  const upload = new StagedUpload(() => endUpload(thread, staged.object, now))
  return ok({ ...staged, maxBytes: secondCheck.value, upload })
}

/**
 * Called when the upload will not continue: lets the sweep delete the unused bytes soon and release their
 * space.
 */
function endUpload(thread: Thread, object: number, stagedAt: number): void {
  const { files, ports, closing } = thread
  if (closing) return
  try {
    if (files.endUpload(object, stagedAt, ports.now())) scheduleSweep(thread)
  } catch (error) {
    // The thread was deleted meanwhile, together with all staged bytes.
    console.warn(JSON.stringify({ at: 'thread.upload', error: logText(error) }))
  }
}

/**
 * Records that the staged bytes arrive in parts, so that the sweep can abort an abandoned upload. The record
 * is on disk when this returns.
 */
export async function filePartsStarted(
  thread: Thread,
  object: number,
  upload: string,
): Promise<Result<null>> {
  const quotas = await thread.ports.quotas(thread.row.data.workspace)
  if (!quotas.ok) return quotas
  const maxBytes = quotas.value.max_file_bytes
  const reserved = await reserveSpace(spaceOwner(thread), 0, maxBytes)
  if (!reserved.ok) return reserved
  if (thread.closing) return NO_THREAD
  const looseCheck = thread.files.checkLooseBytes(maxBytes, thread.ports.now(), object)
  if (!looseCheck.ok) return looseCheck
  if (!thread.files.recordUpload(object, upload, maxBytes))
    return fail('overloaded', 'The bytes arrived too late. Send them again.')
  await thread.log.sync()
  return ok(null)
}

type PutResult = Result<readonly (FileInfo & { readonly created: boolean })[]>

/** Writes all files or none. They are on disk when this returns. */
export async function putFiles(thread: Thread, puts: readonly FilePut[]): Promise<PutResult> {
  const written = await writeFiles(thread, puts)
  // This is needed even if the put was refused, because space was reserved when the bytes arrived.
  releaseSpaceInBackground(thread)
  return written
}

async function writeFiles(thread: Thread, puts: readonly FilePut[]): Promise<PutResult> {
  const { files, ports, row } = thread
  const quotas = await ports.quotas(row.data.workspace)
  if (!quotas.ok) return quotas
  const space = await reserveSpace(
    spaceOwner(thread),
    ...growthOf(
      files,
      puts.map(({ path, body, rename }) => ({ path: rename ? '' : path, body })),
    ),
  )
  if (!space.ok) return space
  if (thread.closing) return NO_THREAD
  const takenPaths = new Set<string>()
  const changes: FileChange[] = []
  for (const { path, body, expect, rename } of puts) {
    const finalPath = rename ? unusedPath(thread, path, takenPaths) : path
    takenPaths.add(foldPath(finalPath))
    if (!isExpectedVersion(files.get(finalPath), expect)) return STALE_VERSION
    changes.push({ path: finalPath, body })
  }
  const newPaths = new Set(changes.filter(({ path }) => !files.get(path)).map(({ path }) => path))
  const written = thread.atomically(() => files.apply(changes, quotas.value, 'upload', ports.now()))
  if (!written.ok) return written
  scheduleSweep(thread)
  await thread.log.sync()
  return ok(written.value.map((file) => ({ ...infoOf(row.data.id, file), created: newPaths.has(file.path) })))
}

/** Fails with `stale_version` if the file is not the version that `expect` names. */
export async function removeFile(thread: Thread, path: string, expect: string | null): Promise<Result<null>> {
  const { files, ports } = thread
  if (thread.closing) return NO_THREAD
  const file = files.get(path)
  if (!file) return NO_FILE
  if (!isExpectedVersion(file, expect ?? undefined)) return STALE_VERSION
  thread.atomically(() => files.remove(path, ports.now()))
  scheduleSweep(thread)
  releaseSpaceInBackground(thread)
  await thread.log.sync()
  return ok(null)
}

function scheduleSweep({ files, alarm }: Thread): void {
  const due = files.sweepDue()
  if (due !== null) void alarm.setNoLaterThan(due)
}

/**
 * Returns the path, or if it is taken, the path with a number before its extension. `takenPaths`
 * contains the folded paths of the same request. If the name would become too long, its stem is shortened.
 */
function unusedPath({ files }: Thread, path: string, takenPaths: ReadonlySet<string>): string {
  const isFree = (candidate: string): boolean =>
    !takenPaths.has(foldPath(candidate)) && !files.isTaken(candidate)
  if (isFree(path)) return path
  const nameStart = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  // A long "extension" is treated as part of the name.
  const extensionStart = dot > nameStart && path.length - dot <= EXTENSION_MAX_CHARS ? dot : path.length
  for (let number = 2; ; number++) {
    const suffix = ` (${number})${path.slice(extensionStart)}`
    const stem = cutBytes(path.slice(nameStart, extensionStart), FILE_NAME_MAX_BYTES - utf8(suffix).length)
    const candidate = `${path.slice(0, nameStart)}${stem}${suffix}`
    if (isFree(candidate)) return candidate
  }
}

/** Deletes objects that no file has needed for a while. Called from the alarm. */
export async function sweepFiles(
  thread: Parts<'ctx' | 'row' | 'files' | 'alarm' | 'closing', 'now' | 'store' | 'workspace'>,
): Promise<void> {
  const { files, ports, alarm } = thread
  const due = thread.closing ? null : files.sweepDue()
  if (due === null) return
  if (due <= ports.now()) {
    // If this sweep crashes, the alarm repeats it.
    void alarm.setNoLaterThan(ports.now() + REPORT_RETRY_PAUSE_MS)
    await files.sweep(ports.store, ports.now())
    releaseSpaceInBackground(thread)
  }
  const next = files.sweepDue()
  if (next !== null) void alarm.setNoLaterThan(Math.max(next, ports.now()))
}
