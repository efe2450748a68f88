// Validates and normalizes all paths of a thread's files, whether from tools, HTTP or archives. Paths are only looked up in a table
// and never become part of a storage key.

import { utf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { withoutInvisible } from '../lib/visible.ts'
import { FILE_NAME_MAX_BYTES } from '../limits/files.ts'
import { FILE_DEPTH_MAX, FILE_PATH_MAX_BYTES } from './limits.ts'

export const DATA_ROOT = '/mnt/user-data'

/** `uploads` holds what people send, `workspace` the agent's own work, `outputs` what people receive. */
export const DATA_FOLDERS = ['uploads', 'workspace', 'outputs'] as const

/** Appended to errors about paths outside these folders. */
export const DATA_FOLDERS_HINT = `Files are under ${DATA_FOLDERS.map((folder) => `${DATA_ROOT}/${folder}`).join(', ')}.`

/** The absolute path that the model sees. `path` is relative to the root, and empty for the root itself. */
export function fullPath(path: string): string {
  return path === '' ? DATA_ROOT : `${DATA_ROOT}/${path}`
}

/** Makes an absolute path relative to the root. Returns null if it is not under the root. */
export function pathFromRoot(path: string): string | null {
  if (path === DATA_ROOT) return ''
  return path.startsWith(`${DATA_ROOT}/`) ? path.slice(DATA_ROOT.length + 1) : null
}

/**
 * Converts a path relative to the root to its stored form: NFC, with single slashes and without `.`; empty for the root. Fails with
 * a message for `..`, invisible characters, surrounding white space in a name, and a path that is too long, too deep or outside the
 * three folders.
 */
export function pathIn(input: string): Result<string, string> {
  if (!input.isWellFormed()) return err('The path is not well-formed Unicode text. Rename the file.')
  // Checked before normalizing, which would take too long for a path of megabytes.
  if (input.length > 2 * FILE_PATH_MAX_BYTES) return err(tooLong(input))
  const path = input.normalize('NFC')
  // Invisible characters could make a name look like a different one.
  if (/[\t\n]/.test(path) || withoutInvisible(path) !== path)
    return err('The path contains an invisible character, such as NUL or a line break. Remove it.')
  if (path.includes('\\')) return err('The path contains a backslash. Use / to separate folders.')
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return err(`The path contains "..". Use a path without it. ${DATA_FOLDERS_HINT}`)
  // Otherwise one folder could contain two names that look the same.
  if (names.some((name) => name !== name.trim()))
    return err('A name in the path begins or ends with white space. Remove it.')
  const normalized = names.join('/')
  if (utf8(normalized).length > FILE_PATH_MAX_BYTES) return err(tooLong(normalized))
  if (names.some((name) => utf8(name).length > FILE_NAME_MAX_BYTES))
    return err(`A name in the path is longer than ${FILE_NAME_MAX_BYTES} bytes. Choose a shorter one.`)
  if (names.length > FILE_DEPTH_MAX)
    return err(`The path has more than ${FILE_DEPTH_MAX} names. Choose a folder closer to the root.`)
  const [folder] = names
  if (folder !== undefined && !DATA_FOLDERS.some((dataFolder) => dataFolder === folder))
    return err(`There is no folder ${fullPath(folder)}. ${DATA_FOLDERS_HINT}`)
  return ok(normalized)
}

/** Like pathIn, for the path of a file, which must have a folder and a name. */
export function filePath(input: string): Result<string, string> {
  const path = pathIn(input)
  if (!path.ok) return path
  if (!path.value.includes('/'))
    return err(`${fullPath(path.value)} is a folder. Add the name of a file in it. ${DATA_FOLDERS_HINT}`)
  return input.endsWith('/')
    ? err('The path ends with a slash, so it names a folder. Specify a file instead.')
    : path
}

function tooLong(path: string): string {
  return `The path has ${utf8(path).length} bytes; the limit is ${FILE_PATH_MAX_BYTES}. Choose a shorter one.`
}

/** The URL path of a file. */
export function hrefOf(threadId: string, path: string): string {
  return `/v1/threads/${threadId}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** A key that is equal for paths that differ only in letter case or Unicode form, which some file systems cannot store together. */
export function foldPath(path: string): string {
  // Converts to upper case first, which maps ß to SS and both forms of small sigma to one letter.
  return path.toUpperCase().toLowerCase().normalize('NFC')
}

/** The parent folders, outermost first: `a` and `a/b` for `a/b/c`. */
export function parentFolders(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}
