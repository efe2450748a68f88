// Paths and calls of node:fs: requests to the host, and Node's errors for failures.

import { coded, systemError } from './errors.ts'
import { failure, tried } from './host.ts'
import { decodeText } from './text.ts'
import { fileURLToPath, URL } from './url.ts'
import { received } from './validate.ts'

import type { Handed } from './host.ts'

export type Path = string | Uint8Array | URL

export function pathOf(path: unknown, name = 'path'): string {
  const text =
    path instanceof URL
      ? fileURLToPath(path)
      : typeof path === 'string'
        ? path
        : path instanceof Uint8Array
          ? decodeText(path)
          : null
  if (text === null) {
    const message = `The "${name}" argument must be of type string or an instance of Buffer or URL. Received ${received(path)}`
    throw coded(new TypeError(message), 'ERR_INVALID_ARG_TYPE')
  }
  if (text.includes('\0'))
    throw coded(
      new TypeError(`The argument '${name}' must be a string, Uint8Array, or URL without null bytes.`),
      'ERR_INVALID_ARG_VALUE',
    )
  return text
}

/** Calls the host; throws Node's error if the call fails. */
export function call(
  syscall: string,
  path: string | undefined,
  operation: string,
  ...args: readonly Handed[]
): unknown {
  const answer = tried(operation, ...args)
  if (answer !== null) return answer
  const { code, message } = failure()
  throw systemError(code, message, syscall, path)
}

export const constants = {
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE: 2,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
}
