// Checks every path of a thread's files, from tools, HTTP and archives. Paths are data: they are looked up in a table
// and never become a key of a store.

import { utf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { withoutInvisible } from '../lib/visible.ts'
import { FILE_NAME_MAX_BYTES } from '../limits/files.ts'
import { FILE_DEPTH_MAX, FILE_PATH_MAX_BYTES } from './limits.ts'

export const DATA_ROOT = '/mnt/user-data'

/** `uploads` holds what people send, `workspace` the agent's own work, `outputs` what people receive. */
export const DATA_FOLDERS = ['uploads', 'workspace', 'outputs'] as const

/** Appended to errors about paths outside the folders. */
export const UNDER = `Files are under ${DATA_FOLDERS.map((folder) => `${DATA_ROOT}/${folder}`).join(', ')}.`

/** As the model sees it. `path` is relative to the root, empty for the root itself. */
export function fullPath(path: string): string {
  return path === '' ? DATA_ROOT : `${DATA_ROOT}/${path}`
}

/** An absolute path relative to the root; null if it is not under the root. */
export function underRoot(path: string): string | null {
  if (path === DATA_ROOT) return ''
  return path.startsWith(`${DATA_ROOT}/`) ? path.slice(DATA_ROOT.length + 1) : null
}

/**
 * A path relative to the root in its stored form: NFC, single slashes, no dots. Empty: the root. Fails with a message
 * for `..`, invisible characters, white space at the ends of a name, a path that is too long or too deep, or one
 * outside the three folders.
 */
export function pathIn(written: string): Result<string, string> {
  if (!written.isWellFormed()) return err('The path is not Unicode text.')
  // Checked first: normalizing a name of megabytes would cost too much.
  if (written.length > 2 * FILE_PATH_MAX_BYTES) return err(tooLong(written))
  const path = written.normalize('NFC')
  // A name must read as it is, without invisible characters.
  if (/[\t\n]/.test(path) || withoutInvisible(path) !== path)
    return err('The path contains an invisible character, such as NUL or a line end. Leave it out.')
  if (path.includes('\\')) return err('The path contains a backslash. Separate folders with /.')
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return err(`The path contains "..". Write it without. ${UNDER}`)
  // Otherwise two names that look alike could be in one folder.
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

/** The same for a file, which needs a folder and a name. */
export function filePath(written: string): Result<string, string> {
  const checked = pathIn(written)
  if (!checked.ok) return checked
  if (!checked.value.includes('/'))
    return err(`${fullPath(checked.value)} is a folder. Name a file in it. ${UNDER}`)
  return written.endsWith('/') ? err('The path ends with a slash, as a folder does. Name a file.') : checked
}

function tooLong(path: string): string {
  return `The path has ${path.length} characters; the limit is ${FILE_PATH_MAX_BYTES} bytes. Choose a shorter one.`
}

/** The URL path of a file. */
export function hrefOf(threadId: string, path: string): string {
  return `/v1/threads/${threadId}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The key that finds clashes: two paths with equal keys cannot both exist on every file system. */
export function folded(path: string): string {
  // Upper case first: it maps ß to SS, and both forms of small sigma to one letter.
  return path.toUpperCase().toLowerCase().normalize('NFC')
}

/** The parent folders, outermost first: for `a/b/c` they are `a` and `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}
