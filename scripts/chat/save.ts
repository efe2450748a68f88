// Saves files of a thread to the local disk: always inside the given folder, and never over an existing file.
// The server chooses the names, so each name is sanitised for the disk and for terminals.

import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'

import { FILE_DEPTH_MAX } from '../../src/files/limits.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SAVE_NAME_MAX_BYTES, SAVE_NAME_ATTEMPTS_MAX } from './limits.ts'
import { OUTPUTS_PREFIX } from './outputs.ts'

/**
 * Matches control characters, invisible and bidirectional characters (except joiners, which some scripts
 * need), and characters that some file system refuses.
 */
const UNSAFE_CHARACTERS = /(?![\u200C\u200D])\p{Cf}|[\p{Cc}\p{Zl}\p{Zp}<>:"|?*\\/]/gu
/** Matches leading characters that would make a hidden file, a command-line option, or a home folder. */
const LEADING_CHARACTERS = /^[.~\s-]+/
/** Matches trailing characters that some file systems drop. */
const TRAILING_CHARACTERS = /[. ]+$/
/** Matches device names of Windows, which are reserved with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i

/** The names of the folders, and last of the file, to which a thread's file is saved. Never empty. */
export function savePath(path: string): readonly string[] {
  const relative = path.startsWith(OUTPUTS_PREFIX) ? path.slice(OUTPUTS_PREFIX.length) : path
  const names = relative.split('/').filter((name) => name !== '' && name !== '.')
  return names.length === 0 ? [harmlessName('')] : names.slice(-FILE_DEPTH_MAX).map(harmlessName)
}

function harmlessName(name: string): string {
  const safe = name
    .slice(0, 2 * SAVE_NAME_MAX_BYTES) // limits the work; `shorten` applies the exact limit
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE_CHARACTERS, '_')
    .replace(/\s+/g, ' ')
    .replace(LEADING_CHARACTERS, (start) => '_'.repeat(start.length))
  const short = shorten(safe, '').replace(TRAILING_CHARACTERS, '')
  return short === '' ? '_' : short.replace(DEVICE_NAME, '_$&')
}

/** Inserts `suffix` before the extension, and shortens the name to the limit. */
function shorten(name: string, suffix: string): string {
  const extension = extname(name).length <= 16 ? extname(name) : ''
  let stem = ''
  let bytes = Buffer.byteLength(extension + suffix)
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character)
    if (bytes > SAVE_NAME_MAX_BYTES) break
    stem += character
  }
  return `${stem}${suffix}${extension}`
}

/**
 * Writes a new file below `folder`, which is created if missing, and returns its path. On failure it returns
 * a message and leaves no partial file.
 */
export async function saveFile(
  folder: string,
  path: string,
  bytes: Uint8Array,
): Promise<Result<string, string>> {
  const names = savePath(path)
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EEXIST' || code === 'ENOTDIR')
      return err(`it cannot be written to ${folder}, which is a file or inside one. Specify a folder.`)
    return err(writeFailure(folder, error))
  }
  try {
    let current = folder
    for (const name of names.slice(0, -1)) current = await findFreeName(current, name, openFolder)
    return ok(await findFreeName(current, names.at(-1) ?? '_', (path) => createFile(path, bytes)))
  } catch (error) {
    return err(writeFailure(folder, error))
  }
}

function writeFailure(folder: string, error: unknown): string {
  return `it cannot be written to ${folder} (${error instanceof Error ? error.message : String(error)})`
}

/** Tries `name`, `name-2`, `name-3` and so on; returns the first path for which `tryPath` returns true. */
async function findFreeName(
  folder: string,
  name: string,
  tryPath: (path: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 1; number <= SAVE_NAME_ATTEMPTS_MAX; number++) {
    const path = join(folder, shorten(name, number === 1 ? '' : `-${number}`))
    if (await tryPath(path)) return path
  }
  throw new Error(`${name} and all numbered names up to ${name}-${SAVE_NAME_ATTEMPTS_MAX} already exist`)
}

/** Creates a folder, or accepts an existing one. Returns false for a link, wherever it leads. */
async function openFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (!isExistsError(error)) throw error
    return (await lstat(path)).isDirectory()
  }
}

/** Creates a file. Returns false if anything exists at the path, even a broken link. */
async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(bytes)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (isExistsError(error)) return false
    throw error
  }
}

function isExistsError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
