// Paths and calls of node:fs: requests to the host, and Node's errors.

import { coded, systemError } from './base/errors.ts'
import { failure, tried } from './base/host.ts'
import { decodeText } from './base/text.ts'
import { fileURLToPath, URL } from './url.ts'
import { inspect } from './library/inspect.ts'
import { received } from './library/validate.ts'

import type { Handed } from './base/host.ts'

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
      new TypeError(
        `The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received ${inspect(text)}`,
      ),
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

const CONSTANTS =
  'UV_FS_SYMLINK_DIR=1 UV_FS_SYMLINK_JUNCTION=2 O_RDONLY=0 O_WRONLY=1 O_RDWR=2 UV_DIRENT_UNKNOWN=0 UV_DIRENT_FILE=1 UV_DIRENT_DIR=2 UV_DIRENT_LINK=3 UV_DIRENT_FIFO=4 UV_DIRENT_SOCKET=5 UV_DIRENT_CHAR=6 UV_DIRENT_BLOCK=7 S_IFMT=61440 S_IFREG=32768 S_IFDIR=16384 S_IFCHR=8192 S_IFBLK=24576 S_IFIFO=4096 S_IFLNK=40960 S_IFSOCK=49152 O_CREAT=64 O_EXCL=128 UV_FS_O_FILEMAP=0 O_NOCTTY=256 O_TRUNC=512 O_APPEND=1024 O_DIRECTORY=65536 O_NOATIME=262144 O_NOFOLLOW=131072 O_SYNC=1052672 O_DSYNC=4096 O_DIRECT=16384 O_NONBLOCK=2048 S_IRWXU=448 S_IRUSR=256 S_IWUSR=128 S_IXUSR=64 S_IRWXG=56 S_IRGRP=32 S_IWGRP=16 S_IXGRP=8 S_IRWXO=7 S_IROTH=4 S_IWOTH=2 S_IXOTH=1 F_OK=0 R_OK=4 W_OK=2 X_OK=1 UV_FS_COPYFILE_EXCL=1 COPYFILE_EXCL=1 UV_FS_COPYFILE_FICLONE=2 COPYFILE_FICLONE=2 UV_FS_COPYFILE_FICLONE_FORCE=4 COPYFILE_FICLONE_FORCE=4'
/** Node's constants for files. */
export const constants: Readonly<Record<string, number>> = Object.fromEntries(
  CONSTANTS.split(' ')
    .map((entry) => entry.split('='))
    .map(([name, value]) => [name, Number(value)]),
)
