// How a call of the guest fails: with a code as Node knows it, and the words that Node says with it. Makes values, throws none.

import { ERRNO } from '../wasm/errno.ts'

/** What the guest's side makes an Error of. */
export interface CallFailure {
  readonly code: string
  readonly message: string
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBADF: 'bad file descriptor',
  EBUSY: 'resource busy or locked',
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  EIO: 'i/o error',
  EISDIR: 'illegal operation on a directory',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENOENT: 'no such file or directory',
  ENOMEM: 'not enough memory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ESPIPE: 'invalid seek',
}

const NAMES = new Map(Object.entries(ERRNO).map(([name, number]) => [-number, `E${name}`]))

/** The failure that a number below zero of the tree stands for. */
export function failureOf(result: number): CallFailure {
  const code = NAMES.get(result) ?? 'EIO'
  return { code, message: WORDS[code] ?? 'failed' }
}
