// The one function for paths of a thread's files, as tools, HTTP and archives write them. Paths are data: they are looked
// up in a table, and never made into a key of a store.

import { utf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { withoutInvisible } from '../lib/visible.ts'
import { FILE_NAME_MAX_BYTES } from '../limits/files.ts'
import { FILE_DEPTH_MAX, FILE_PATH_MAX_BYTES } from './limits.ts'

export const DATA_ROOT = '/mnt/user-data'

/** `uploads` is for what people bring, `workspace` for the agent's own work, `outputs` for what people are to get. */
export const DATA_FOLDERS = ['uploads', 'workspace', 'outputs'] as const

/** Said of a path that lies elsewhere. */
export const UNDER = `Files lie under ${DATA_FOLDERS.map((folder) => `${DATA_ROOT}/${folder}`).join(', ')}.`

/** As the model sees it. `path` is relative to the root, empty for the root itself. */
export function fullPath(path: string): string {
  return path === '' ? DATA_ROOT : `${DATA_ROOT}/${path}`
}

/** What an absolute path says behind the root; null: it does not lie under it. */
export function underRoot(path: string): string | null {
  if (path === DATA_ROOT) return ''
  return path.startsWith(`${DATA_ROOT}/`) ? path.slice(DATA_ROOT.length + 1) : null
}

/**
 * A path below the root in the one form in which it is kept: NFC, single slashes, no dots. Empty: the root. Fails in
 * words: `..`, characters that cannot be seen, white space at the ends of a name, too long, too
 * deep, or in none of the three folders.
 */
export function pathIn(written: string): Result<string, string> {
  if (!written.isWellFormed()) return err('The path is not Unicode text.')
  // Before anything is made of it: a name of megabytes is not worth the work.
  if (written.length > 2 * FILE_PATH_MAX_BYTES) return err(tooLong(written))
  const path = written.normalize('NFC')
  // A name must read as it is, and carry nothing that nobody sees.
  if (/[\t\n]/.test(path) || withoutInvisible(path) !== path)
    return err('The path holds a character that cannot be seen, such as NUL or a line end. Leave it out.')
  if (path.includes('\\')) return err('The path holds a backslash. Part folders with /.')
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return err(`The path climbs with "..". Write it without. ${UNDER}`)
  // Two names that read alike would lie side by side.
  if (names.some((name) => name !== name.trim()))
    return err('A name in the path begins or ends with white space. Leave that out.')
  const clean = names.join('/')
  if (utf8(clean).length > FILE_PATH_MAX_BYTES) return err(tooLong(clean))
  const long = names.find((name) => utf8(name).length > FILE_NAME_MAX_BYTES)
  if (long !== undefined)
    return err(`A name in the path is longer than ${FILE_NAME_MAX_BYTES} bytes. Choose a shorter one.`)
  if (names.length > FILE_DEPTH_MAX) return err(`The path is deeper than ${FILE_DEPTH_MAX} folders.`)
  const [folder] = names
  if (folder !== undefined && !DATA_FOLDERS.some((known) => known === folder))
    return err(`There is no folder ${fullPath(folder)}. ${UNDER}`)
  return ok(clean)
}

/** The same for a file: it has a folder and a name. */
export function filePath(written: string): Result<string, string> {
  const place = pathIn(written)
  if (!place.ok) return place
  if (!place.value.includes('/'))
    return err(`${fullPath(place.value)} is a folder. Name a file in it. ${UNDER}`)
  return written.endsWith('/') ? err('The path ends with a slash, as a folder does. Name a file.') : place
}

function tooLong(path: string): string {
  return `The path has ${path.length} characters; ${FILE_PATH_MAX_BYTES} bytes are the most. Choose a shorter one.`
}

/** Where a file is had over HTTP. */
export function hrefOf(threadId: string, path: string): string {
  return `/v1/threads/${threadId}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Two paths that fold alike could not lie side by side on every disk. */
export function folded(path: string): string {
  // Upper case first: ß is SS there, and Σ has one small letter then, at the end of a word or not.
  return path.toUpperCase().toLowerCase().normalize('NFC')
}

/** The folders above, outermost first: `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}
