// The files of a Python job as SQLite uses them: the same files that Python sees, and their journals.

import { ERRNO, negativeErrno } from '../../wasm/errno.ts'
import { pathOf } from '../../wasm/tree.ts'
import { sizeOf } from '../../wasm/open-files.ts'
import { loadBytes } from '../../wasm/load-bytes.ts'
import type {
  OrPromise,
  SqliteFileFacts,
  SqliteFiles,
  SqliteOpenFile,
  SqliteOpenMode,
} from '../../sqlite/files.ts'
import type { File, Node } from '../../wasm/nodes.ts'
import type { Process } from '../process.ts'

const [READ, READ_WRITE] = [0, 2]

export function treeFiles(process: Process): SqliteFiles {
  const { tree, files, meter } = process
  const opened = (node: Node, writes: boolean): SqliteOpenFile | number => {
    const fd = files.open(node, writes ? READ_WRITE : READ)
    const open = files.get(fd)
    if (!open) return fd
    return {
      facts: () => factsOf(node),
      read: (buffer, offset) => files.read(open, buffer, offset),
      write(bytes, offset) {
        meter.charge(bytes.length)
        return files.write(open, bytes, offset)
      },
      resize: (size) => (node.kind === 'file' ? tree.resize(node, size) : negativeErrno('INVAL')),
      close: () => void files.close(fd),
    }
  }
  const openFile = (
    file: File,
    { writes, truncates }: SqliteOpenMode,
  ): OrPromise<SqliteOpenFile | number> => {
    if (writes && !file.writable) {
      tree.readOnly(file)
      return negativeErrno('ACCES')
    }
    const ready = (result: number): SqliteOpenFile | number => {
      if (result < 0) return result
      if (truncates) tree.resize(file, 0)
      return opened(file, writes)
    }
    return file.bytes ? ready(0) : loadBytes(process, file).then(ready)
  }
  return {
    get cwd() {
      return pathOf(process.cwd)
    },
    open(path, mode) {
      const node = tree.find(tree.root, path)
      if (node === -ERRNO.NOENT && mode.creates) {
        const location = tree.locate(tree.root, path)
        const created = typeof location === 'number' ? location : tree.create(location)
        return typeof created === 'number' ? created : opened(created, mode.writes)
      }
      if (typeof node === 'number') return node
      if (mode.creates && mode.exclusive) return negativeErrno('EXIST')
      if (node.kind !== 'file') return mode.writes ? negativeErrno('ISDIR') : opened(node, false)
      return openFile(node, mode)
    },
    facts(path) {
      const node = tree.find(tree.root, path)
      return typeof node === 'number' ? node : factsOf(node)
    },
    remove(path) {
      const location = tree.locate(tree.root, path)
      return typeof location === 'number' ? location : tree.remove(location, false)
    },
  }
}

function factsOf(node: Node): SqliteFileFacts {
  return {
    kind: node.kind === 'folder' ? 'folder' : 'file',
    size: sizeOf(node),
    inode: node.inode,
    writable: node.writable,
    changedMs: node.changedMs,
  }
}
