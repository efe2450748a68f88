// The errors of guest calls, with Node's code and message. Only creates the values; throws nothing.

import { ERRNO } from '../../wasm/errno.ts'

/** The guest creates an Error from this. */
export interface CallFailure {
  readonly code: string
  readonly message: string
}

const MESSAGES: Readonly<Record<string, string>> = {
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

/** The error for a negative result of the tree. */
export function failureOf(result: number): CallFailure {
  const code = NAMES.get(result) ?? 'EIO'
  return { code, message: MESSAGES[code] ?? 'failed' }
}
