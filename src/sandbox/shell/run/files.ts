// The file system as a command of this shell sees it, with the shell's descriptors below /dev.

import { FileError, type CommandFiles } from '../../commands/io/files.ts'
import { BufferedWriter } from '../../commands/io/writer.ts'
import { readAll } from '../../commands/io/reader.ts'
import type { ByteReader } from '../../commands/io/reader.ts'
import type { Descriptors } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'

const SHARED = /^\/dev\/(?:fd\/(\d+)|stdin|stdout|stderr)$/

export function shellFiles(
  shell: Shell,
  cwd = shell.cwd,
  descriptors: Descriptors = shell.descriptors,
): CommandFiles {
  const files = shell.host.files(cwd, shell.umask)
  const shared = (path: string): number | null => {
    const real = path === '' ? '' : files.resolve(path)
    const found = SHARED.exec(real)
    if (!found) return null
    return found[1] === undefined
      ? ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(real)
      : Number(found[1])
  }
  const status = { kind: 'file', size: 0, mode: 0o600, mtimeMs: 0, inode: 0 } as const
  const open = async (path: string, from = 0): Promise<ByteReader> => {
    const fd = shared(path)
    if (fd === null) {
      if (path !== '' && /^\/dev\/u?random$/.test(files.resolve(path))) return randomBytes(shell)
      return files.open(path, from)
    }
    const input = descriptors.get(fd)?.input
    if (!input) throw new FileError('No such file or directory')
    // Closing this reader does not close the input for other readers.
    return { read: async () => input.read(), close: () => {} }
  }
  return {
    ...files,
    stat: async (path) => (shared(path) === null ? files.stat(path) : status),
    lstat: async (path) => (shared(path) === null ? files.lstat(path) : status),
    open,
    read: async (path) => (shared(path) === null ? files.read(path) : readAll(await open(path))),
    async create(path, options) {
      const fd = shared(path)
      if (fd === null) return files.create(path, options)
      const write = descriptors.get(fd)?.write
      if (!write) throw new FileError('No such file or directory')
      return new BufferedWriter(write)
    },
    async write(path, bytes) {
      const fd = shared(path)
      if (fd === null) return files.write(path, bytes)
      await descriptors.get(fd)?.write?.(bytes)
    },
  }
}

function randomBytes(shell: Shell): ByteReader {
  let closed = false
  return {
    read: async () => (closed ? null : Uint8Array.from({ length: 4_096 }, () => shell.host.random(256))),
    close: () => {
      closed = true
    },
  }
}
