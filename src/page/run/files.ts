// The files of a thread: names, kinds, and the message or answer each belongs to. Pure.

import type { FileInfo } from '../../thread/api.ts'
import { pathsOf } from '../lib/fields.ts'
import type { Item } from './items.ts'

/** A file that an answer presents. */
export interface Artifact {
  /** Relative to the root of the thread's files: `outputs/report.md`. */
  readonly path: string
  /** Of the event that brought it. */
  readonly seq: number
  readonly title: string
  readonly href: string
  readonly bytes: number | null
}

/** A file sent with a message. */
export type SentFile = Pick<FileInfo, 'path' | 'bytes' | 'href'>

const ROOT = '/mnt/user-data/'

/** The files shown as pictures. The media type comes from here, never from the server or the model. */
const PICTURES = new Map([
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

/** Lowercase, without the dot; '' if there is none. */
export function endingOf(path: string): string {
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(nameOf(path))?.[1]?.toLowerCase() ?? ''
}

/** The media type of a picture; null for other files. */
export function pictureType(path: string): string | null {
  return PICTURES.get(endingOf(path)) ?? null
}

export function kindOf(path: string): string {
  const ending = endingOf(path).toUpperCase()
  if (ending === '') return 'File'
  return pictureType(path) ? `${ending} picture` : `${ending} file`
}

/** A path as the model sees it, relative to the root of the thread's files; null outside of them. */
export function threadPath(path: string): string | null {
  if (!path.startsWith(ROOT)) return null
  const names = path.slice(ROOT.length).normalize('NFC').split('/')
  return names.filter((name) => name !== '' && name !== '.').join('/') || null
}

/** The URL of a thread's file. */
export function fileHref(threadId: string, path: string): string {
  // A model may produce a lone surrogate, which cannot be encoded in a URL.
  const names = path.toWellFormed().split('/')
  return `/v1/threads/${[threadId, 'files', ...names].map(encodeURIComponent).join('/')}`
}

/** The list with one more file. A path presented again moves to the end. */
export function withArtifact(all: readonly Artifact[], artifact: Artifact): readonly Artifact[] {
  return [...all.filter(({ path }) => path !== artifact.path), artifact]
}

/** The files that the calls of a stored run presented. `files`: those that still exist. */
export function presentedBy(
  items: readonly Item[],
  threadId: string,
  files: readonly FileInfo[],
): readonly Artifact[] {
  let all: readonly Artifact[] = []
  for (const item of items) {
    if (item.kind !== 'tool' || item.name !== 'present_files' || item.state !== 'done') continue
    for (const path of pathsOf(item.input).flatMap((written) => threadPath(written) ?? [])) {
      const bytes = files.find((file) => file.path === path)?.bytes ?? null
      const href = fileHref(threadId, path)
      all = withArtifact(all, { path, seq: item.seq, title: nameOf(path), href, bytes })
    }
  }
  return all
}

/** Assigns each upload to the first message that began after it. Later uploads wait for the next message. */
export function uploadsByRun(
  files: readonly FileInfo[],
  runs: readonly { readonly run_id: string; readonly started_at: string | null }[],
): { readonly byRun: ReadonlyMap<string, readonly FileInfo[]>; readonly waiting: readonly FileInfo[] } {
  const begun = runs
    .flatMap(({ run_id, started_at }) =>
      started_at === null ? [] : [{ run_id, at: Date.parse(started_at) }],
    )
    .toSorted((a, b) => a.at - b.at)
  const byRun = new Map<string, FileInfo[]>()
  const waiting: FileInfo[] = []
  for (const file of files.filter(({ origin }) => origin === 'upload')) {
    const run = begun.find(({ at }) => at >= Date.parse(file.updated_at))
    if (!run) waiting.push(file)
    else byRun.set(run.run_id, [...(byRun.get(run.run_id) ?? []), file])
  }
  return { byRun, waiting }
}
