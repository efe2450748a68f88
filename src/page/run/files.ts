// The files of a thread: their names and kinds, and the message or answer that each file belongs to. Pure.

import type { FileInfo } from '../../thread/api.ts'
import { pathsOf } from '../lib/fields.ts'
import type { Item } from './items.ts'

/** A file that an answer presents. */
export interface Artifact {
  /** Relative to the root of the thread's files: `outputs/report.md`. */
  readonly path: string
  /** The sequence number of the event that presented the file. */
  readonly seq: number
  readonly title: string
  readonly href: string
  readonly bytes: number | null
}

/** A file sent with a message. */
export type SentFile = Pick<FileInfo, 'path' | 'bytes' | 'href'>

const FILES_ROOT = '/mnt/user-data/'

/** Media types of the files that are shown as pictures, by extension. Never taken from the server or the model. */
const PICTURE_TYPES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
])

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The file extension in lowercase, without the dot; '' if there is none. */
export function extensionOf(path: string): string {
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(nameOf(path))?.[1]?.toLowerCase() ?? ''
}

/** The media type of a picture, or null for other files. */
export function pictureType(path: string): string | null {
  return PICTURE_TYPES.get(extensionOf(path)) ?? null
}

export function kindOf(path: string): string {
  const extension = extensionOf(path).toUpperCase()
  if (extension === '') return 'File'
  if (['MD', 'MARKDOWN'].includes(extension)) return 'Markdown'
  return pictureType(path) ? `${extension} picture` : `${extension} file`
}

/** Whether a text of the answer shows the picture at `path`, relative to the root of the thread's files. */
export function isShownInText(path: string, items: readonly Item[]): boolean {
  const addresses = [path, encodeURI(path.toWellFormed())].flatMap((written) =>
    [')', ' '].map((end) => `](${FILES_ROOT}${written}${end}`),
  )
  return items.some(
    (item) => item.kind === 'text' && addresses.some((address) => item.text.includes(address)),
  )
}

/** A path from the model, made relative to the root of the thread's files; null if it is not below that root. */
export function threadPath(path: string): string | null {
  if (!path.startsWith(FILES_ROOT)) return null
  const names = path.slice(FILES_ROOT.length).normalize('NFC').split('/')
  return names.filter((name) => name !== '' && name !== '.').join('/') || null
}

/** The URL of a thread's file. */
export function fileHref(threadId: string, path: string): string {
  // A model may produce a lone surrogate, which cannot be encoded in a URL.
  const names = path.toWellFormed().split('/')
  return `/v1/threads/${[threadId, 'files', ...names].map(encodeURIComponent).join('/')}`
}

/** The list with one more file. A file that is presented again moves to the end. */
export function withArtifact(artifacts: readonly Artifact[], artifact: Artifact): readonly Artifact[] {
  return [...artifacts.filter(({ path }) => path !== artifact.path), artifact]
}

/** The files that the calls of a stored run presented. `files`: the thread's files that still exist. */
export function presentedBy(
  items: readonly Item[],
  threadId: string,
  files: readonly FileInfo[],
): readonly Artifact[] {
  let artifacts: readonly Artifact[] = []
  for (const item of items) {
    if (item.kind !== 'tool' || item.name !== 'present_files' || item.state !== 'done') continue
    for (const path of pathsOf(item.input).flatMap((inputPath) => threadPath(inputPath) ?? [])) {
      const bytes = files.find((file) => file.path === path)?.bytes ?? null
      const href = fileHref(threadId, path)
      artifacts = withArtifact(artifacts, { path, seq: item.seq, title: nameOf(path), href, bytes })
    }
  }
  return artifacts
}

/** Assigns each upload to the first run that started after it. Uploads without such a run wait for the next message. */
export function uploadsByRun(
  files: readonly FileInfo[],
  runs: readonly { readonly run_id: string; readonly started_at: string | null }[],
): { readonly byRun: ReadonlyMap<string, readonly FileInfo[]>; readonly waitingFiles: readonly FileInfo[] } {
  const startedRuns = runs
    .flatMap(({ run_id, started_at }) =>
      started_at === null ? [] : [{ run_id, startedAt: Date.parse(started_at) }],
    )
    .toSorted((a, b) => a.startedAt - b.startedAt)
  const byRun = new Map<string, FileInfo[]>()
  const waitingFiles: FileInfo[] = []
  for (const file of files.filter(({ origin }) => origin === 'upload')) {
    const run = startedRuns.find(({ startedAt }) => startedAt >= Date.parse(file.updated_at))
    if (!run) waitingFiles.push(file)
    else byRun.set(run.run_id, [...(byRun.get(run.run_id) ?? []), file])
  }
  return { byRun, waitingFiles }
}
