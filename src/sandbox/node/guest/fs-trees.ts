// Calls of node:fs for folder trees and copies, and calls that are not supported (links).

import { coded, systemError } from './base/errors.ts'
import { call, pathOf } from './fs-call.ts'
import {
  bitsOf,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from './fs.ts'
import type { Mode } from './fs.ts'
import { bytesOf, tried } from './base/host.ts'
import { path } from './library/path.ts'

import type { Path } from './fs-call.ts'

export function mkdtempSync(prefix: string): string {
  for (;;) {
    const random = [...bytesOf(tried('random', 6))].map((byte) => (byte % 36).toString(36)).join('')
    if (existsSync(prefix + random)) continue
    mkdirSync(prefix + random)
    return prefix + random
  }
}

export function rmSync(path: Path, options: { recursive?: boolean; force?: boolean } = {}): void {
  const name = pathOf(path)
  if (options.force && !existsSync(name)) return
  const stats = lstatSync(name)
  if (!stats?.isDirectory()) return unlinkSync(name)
  if (!options.recursive)
    throw Object.assign(
      coded(new Error(`Path is a directory: rm returned EISDIR (is a directory) ${name}`), 'ERR_FS_EISDIR'),
      { path: name },
    )
  for (const entry of readdirSync(name)) rmSync(`${name}/${String(entry)}`, { recursive: true })
  rmdirSync(name)
}

export function copyFileSync(from: Path, to: Path, mode = 0): void {
  const [old, fresh] = [pathOf(from, 'src'), pathOf(to, 'dest')]
  try {
    writeFileSync(fresh, readFileSync(old), { flag: mode & 1 ? 'wx' : 'w' })
    call('copyfile', fresh, 'chmod', fresh, Number(statSync(old)?.mode) & 0o777)
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    throw systemError(code, message.replace(/^\w+: (.*), \w+.*$/, '$1'), 'copyfile', old, fresh)
  }
}

interface CopyOptions {
  readonly recursive?: boolean
  readonly force?: boolean
  readonly errorOnExist?: boolean
  readonly filter?: (from: string, to: string) => boolean
}

export function cpSync(from: Path, to: Path, options: CopyOptions = {}): void {
  const [old, fresh] = [pathOf(from, 'src'), pathOf(to, 'dest')]
  if (options.filter && !options.filter(old, fresh)) return
  if (!existsSync(old)) throw systemError('ENOENT', 'no such file or directory', 'lstat', old)
  if (!statSync(old)?.isDirectory()) {
    if (existsSync(fresh) && options.force === false) {
      if (options.errorOnExist)
        throw Object.assign(
          coded(
            new Error(`Target already exists: cp returned EEXIST (${fresh} already exists) ${fresh}`),
            'ERR_FS_CP_EEXIST',
          ),
          { errno: 17, syscall: 'cp', path: fresh },
        )
      return
    }
    mkdirSync(path.dirname(fresh), { recursive: true })
    return copyFileSync(old, fresh)
  }
  if (!options.recursive)
    throw coded(
      new Error(
        `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${old} is a directory (not copied)) ${old}`,
      ),
      'ERR_FS_EISDIR',
    )
  mkdirSync(fresh, { recursive: true })
  for (const entry of readdirSync(old))
    cpSync(`${old}/${String(entry)}`, `${fresh}/${String(entry)}`, options)
}

/** Converts seconds, or a date, to milliseconds. */
function msOf(time: number | string | Date): number {
  return time instanceof Date ? time.getTime() : Number(time) * 1_000
}

export function utimesSync(path: Path, _accessed: unknown, changed: number | string | Date): void {
  const name = pathOf(path)
  call('utime', name, 'touch', name, msOf(changed))
}

export function futimesSync(fd: number, _accessed: unknown, changed: number | string | Date): void {
  call('futime', undefined, 'ftouch', fd, msOf(changed))
}

export function readlinkSync(path: Path): never {
  const name = pathOf(path)
  call('readlink', name, 'stat', name)
  throw systemError('EINVAL', 'invalid argument', 'readlink', name)
}

export function symlinkSync(target: Path, path: Path): never {
  throw systemError('EPERM', 'operation not permitted', 'symlink', pathOf(target), pathOf(path))
}

export function linkSync(from: Path, to: Path): never {
  throw systemError('EPERM', 'operation not permitted', 'link', pathOf(from), pathOf(to))
}

export function chmodSync(path: Path, mode: Mode): void {
  const name = pathOf(path)
  call('chmod', name, 'chmod', name, bitsOf(mode, 0))
}

/** Does nothing, because files have no owners. */
function chownSync(path: Path): void {
  const name = pathOf(path)
  call('chown', name, 'writable', name)
}

/** Aliases of other calls, because there are no owners and no links. */
export const sameCalls = {
  chownSync,
  lchownSync: chownSync,
  lchmodSync: chmodSync,
  lutimesSync: utimesSync,
}
