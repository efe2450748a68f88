// Saves files of a thread to the local disk: below a named folder, never outside of it, never over a file. A server
// chooses the names, so each is sanitised for the disk and for terminals.

import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'

import { FILE_DEPTH_MAX } from '../../src/files/limits.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SAVE_NAME_MAX_BYTES, SAVE_NAMES_MAX } from './limits.ts'
import { OUTPUTS } from './outputs.ts'

/**
 * Control characters, invisible and bidirectional ones (except joiners, which scripts need), and characters that
 * some disk refuses.
 */
const UNSAFE = /(?![\u200C\u200D])\p{Cf}|[\p{Cc}\p{Zl}\p{Zp}<>:"|?*\\/]/gu
/** Would be a hidden file, an option of the next command, or a home folder. */
const LEADING = /^[.~\s-]+/
/** Some disks drop these, which would change the name. */
const TRAILING = /[. ]+$/
/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i

/** The path of a thread's file below the named folder; the last name is the file's. Never empty. */
export function savePath(path: string): readonly string[] {
  const inside = path.startsWith(OUTPUTS) ? path.slice(OUTPUTS.length) : path
  const names = inside.split('/').filter((name) => name !== '' && name !== '.')
  return names.length === 0 ? [harmlessName('')] : names.slice(-FILE_DEPTH_MAX).map(harmlessName)
}

function harmlessName(name: string): string {
  const plain = name
    .slice(0, 2 * SAVE_NAME_MAX_BYTES) // bounds the work; more than is kept
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/\s+/g, ' ')
    .replace(LEADING, (start) => '_'.repeat(start.length))
  const kept = shortened(plain, '').replace(TRAILING, '')
  return kept === '' ? '_' : kept.replace(DEVICE, '_$&')
}

/** The name with `mark` before its extension, shortened to the limit. */
function shortened(name: string, mark: string): string {
  const ending = extname(name).length <= 16 ? extname(name) : ''
  const rest = Buffer.byteLength(ending + mark)
  let stem = ''
  let bytes = rest
  for (const sign of name.slice(0, name.length - ending.length)) {
    bytes += Buffer.byteLength(sign)
    if (bytes > SAVE_NAME_MAX_BYTES) break
    stem += sign
  }
  return `${stem}${mark}${ending}`
}

/**
 * Writes a new file below `folder`, which is created if missing. Returns its path; fails with a message and leaves
 * no partial file.
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
      return err(`it cannot be written to ${folder}, which is a file or is below one. Name a folder.`)
    return err(unwritable(folder, error))
  }
  try {
    let at = folder
    for (const name of names.slice(0, -1)) at = await firstFree(at, name, enter)
    return ok(await firstFree(at, names.at(-1) ?? '_', (path) => create(path, bytes)))
  } catch (error) {
    return err(unwritable(folder, error))
  }
}

function unwritable(folder: string, error: unknown): string {
  return `it cannot be written to ${folder} (${error instanceof Error ? error.message : String(error)})`
}

/** `name`, or `name-2` … : the first that `take` accepts. */
async function firstFree(
  folder: string,
  name: string,
  take: (path: string) => Promise<boolean>,
): Promise<string> {
  for (let count = 1; count <= SAVE_NAMES_MAX; count++) {
    const path = join(folder, shortened(name, count === 1 ? '' : `-${count}`))
    if (await take(path)) return path
  }
  throw new Error(`${name} and ${SAVE_NAMES_MAX} names like it are taken`)
}

/** Creates or opens a folder; a link is refused, wherever it leads. */
async function enter(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (!exists(error)) throw error
    return (await lstat(path)).isDirectory()
  }
}

/** False if anything exists there, even a broken link. */
async function create(path: string, bytes: Uint8Array): Promise<boolean> {
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
    if (exists(error)) return false
    throw error
  }
}

function exists(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
