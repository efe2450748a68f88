// Files of a thread on this machine's disk: under a folder that was named, never outside of it, never over a file. A
// server chooses the names, so each is made harmless first, for the disk and for whoever lists it in a terminal.

import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'

import { FILE_DEPTH_MAX } from '../../src/files/limits.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { SAVE_NAME_MAX_BYTES, SAVE_NAMES_MAX } from './limits.ts'
import { OUTPUTS } from './outputs.ts'

/** Controls, what cannot be seen or turns a line (but the joiners, which scripts need), and what some disk refuses. */
const UNSAFE = /(?![\u200C\u200D])\p{Cf}|[\p{Cc}\p{Zl}\p{Zp}<>:"|?*\\/]/gu
/** Hidden, an option of whatever command comes next, or a folder of somebody's. */
const LEADING = /^[.~\s-]+/
/** Some disks drop these, so that another name would be meant. */
const TRAILING = /[. ]+$/
/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i

/** Where below the named folder a file of the thread goes; its last name is the file's. Never empty. */
export function savePath(path: string): readonly string[] {
  const inside = path.startsWith(OUTPUTS) ? path.slice(OUTPUTS.length) : path
  const names = inside.split('/').filter((name) => name !== '' && name !== '.')
  return names.length === 0 ? [harmlessName('')] : names.slice(-FILE_DEPTH_MAX).map(harmlessName)
}

function harmlessName(name: string): string {
  const plain = name
    .slice(0, 2 * SAVE_NAME_MAX_BYTES) // more than is kept, and no more work than that
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/\s+/g, ' ')
    .replace(LEADING, (start) => '_'.repeat(start.length))
  const kept = shortened(plain, '').replace(TRAILING, '')
  return kept === '' ? '_' : kept.replace(DEVICE, '_$&')
}

/** The name with `mark` before its ending, in as many bytes as are kept. */
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

/** Writes a new file below `folder`, which is made where it is not. Answers where; fails in words, leaving no part of it. */
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
      return err(`it cannot be written to ${folder}, which is a file or lies below one. Name a folder.`)
    return err(unwritable(folder, error))
  }
  try {
    let at = folder
    for (const name of names.slice(0, -1)) at = await firstFree(at, name, enter)
    return ok(await firstFree(at, names.at(-1) ?? '_', (place) => create(place, bytes)))
  } catch (error) {
    return err(unwritable(folder, error))
  }
}

function unwritable(folder: string, error: unknown): string {
  return `it cannot be written to ${folder} (${error instanceof Error ? error.message : String(error)})`
}

/** `name`, or `name-2` … : the first with which `take` is content. */
async function firstFree(
  folder: string,
  name: string,
  take: (place: string) => Promise<boolean>,
): Promise<string> {
  for (let count = 1; count <= SAVE_NAMES_MAX; count++) {
    const place = join(folder, shortened(name, count === 1 ? '' : `-${count}`))
    if (await take(place)) return place
  }
  throw new Error(`${name} and ${SAVE_NAMES_MAX} names like it are taken`)
}

/** A folder, new or not; a link is none, wherever it leads. */
async function enter(place: string): Promise<boolean> {
  try {
    await mkdir(place)
    return true
  } catch (error) {
    if (!exists(error)) throw error
    return (await lstat(place)).isDirectory()
  }
}

/** False where anything is there, a link that leads nowhere too. */
async function create(place: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const file = await open(place, 'wx')
    try {
      await file.writeFile(bytes)
    } catch (error) {
      await rm(place, { force: true })
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
