// What the page knows of a thread's files: names, sizes, kinds, and which message or answer each belongs to. Pure; never
// touches the page or the network.

import { field } from './run-items.js'

/** @typedef {import('../../thread/api.ts').FileInfo} FileInfo */
/** @typedef {import('./run-items.js').Item} Item */

/**
 * A file that an answer presents. `path` is relative to the root of the thread's files; `seq` the frame that brought it.
 * @typedef {{ path: string, seq: number, title: string, href: string, bytes: number | null }} Artifact
 */

const ROOT = '/mnt/user-data/'

/** The most that one file may have, whatever the settings say. src/limits.ts */
export const FILE_BYTES_MAX = 33_554_432

/** What is shown as a picture, and only so. The type of the bytes is chosen here, whatever anybody else calls them. */
const PICTURES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
])

/** @param {string} path */
export function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** @param {string} path */
function endingOf(path) {
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(nameOf(path))?.[1]?.toLowerCase() ?? ''
}

/**
 * The media type as which it may stand in a picture's place; null: it is no picture.
 * @param {string} path
 * @returns {string | null}
 */
export function pictureType(path) {
  return PICTURES.get(endingOf(path)) ?? null
}

/** @param {string} path */
export function kindOf(path) {
  const ending = endingOf(path).toUpperCase()
  if (ending === '') return 'File'
  return pictureType(path) ? `${ending} picture` : `${ending} file`
}

/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const kilo = bytes / 1024
  if (kilo < 1023.5) return `${kilo < 9.95 ? kilo.toFixed(1) : Math.round(kilo)} KB`
  return `${(kilo / 1024).toFixed(1)} MB`
}

/**
 * A path of the tree that the model sees, relative to the root of the thread's files; null: it lies elsewhere.
 * @param {string} path
 * @returns {string | null}
 */
export function ownPath(path) {
  if (!path.startsWith(ROOT)) return null
  const names = path.slice(ROOT.length).normalize('NFC').split('/')
  return names.filter((name) => name !== '' && name !== '.').join('/') || null
}

/**
 * The list with one more; of a path that is presented again only the last stays.
 * @param {readonly Artifact[]} all
 * @param {Artifact} artifact
 */
export function withArtifact(all, artifact) {
  return [...all.filter(({ path }) => path !== artifact.path), artifact]
}

/**
 * What the calls of a stored run presented.
 * @param {readonly Item[]} items
 * @param {string} threadId
 * @param {readonly FileInfo[]} files those that are there now
 * @returns {readonly Artifact[]}
 */
export function presentedBy(items, threadId, files) {
  /** @type {readonly Artifact[]} */
  let all = []
  for (const item of items) {
    if (item.kind !== 'tool' || item.name !== 'present_files' || item.state !== 'done') continue
    for (const path of pathsOf(item.input).flatMap((written) => ownPath(written) ?? [])) {
      const bytes = files.find((file) => file.path === path)?.bytes ?? null
      const names = [threadId, 'files', ...path.split('/')].map(encodeURIComponent)
      all = withArtifact(all, {
        path,
        seq: item.seq,
        title: nameOf(path),
        href: `/v1/threads/${names.join('/')}`,
        bytes,
      })
    }
  }
  return all
}

/**
 * The paths that a call names: one in `path`, several in `paths`.
 * @param {unknown} input
 * @returns {readonly string[]}
 */
export function pathsOf(input) {
  const path = field(input, 'path')
  const paths = typeof input === 'object' && input !== null ? Reflect.get(input, 'paths') : null
  const several = Array.isArray(paths) ? paths.filter((one) => typeof one === 'string') : []
  return path === null ? several : [path, ...several]
}

/**
 * Which message each upload went with: the first that began after it. What came after the last waits for the next.
 * @param {readonly FileInfo[]} files
 * @param {readonly { run_id: string, started_at: string | null }[]} runs
 * @returns {{ byRun: ReadonlyMap<string, readonly FileInfo[]>, waiting: readonly FileInfo[] }}
 */
export function uploadsByRun(files, runs) {
  const begun = runs
    .flatMap(({ run_id, started_at }) =>
      started_at === null ? [] : [{ run_id, at: Date.parse(started_at) }],
    )
    .toSorted((a, b) => a.at - b.at)
  /** @type {Map<string, FileInfo[]>} */
  const byRun = new Map()
  /** @type {FileInfo[]} */
  const waiting = []
  for (const file of files.filter(({ origin }) => origin === 'upload')) {
    const run = begun.find(({ at }) => at >= Date.parse(file.updated_at))
    if (!run) waiting.push(file)
    else byRun.set(run.run_id, [...(byRun.get(run.run_id) ?? []), file])
  }
  return { byRun, waiting }
}
