// Types and path resolution for the calls of the guest.

import { negativeErrno } from '../wasm/errno.ts'

import type { Folder, Node } from '../wasm/nodes.ts'
import type { Process } from './process.ts'
import type { NodeLocation } from '../wasm/tree.ts'

/** A call that the interpreter imports. Its arguments are WebAssembly numbers. */
export type Call = (...args: never[]) => unknown
export type Calls = Readonly<Record<string, Call>>

/** Returns the current run, because the calls are created only once. */
export type Current = () => Process

/** The descriptor number that refers to the current folder. */
const AT_CWD = -100

/** The folder of descriptor `at`. */
function base(process: Process, at: number): Folder | number {
  if (at === AT_CWD) return process.cwd
  const node = process.files.get(at)?.node
  if (!node) return negativeErrno('BADF')
  return node.kind === 'folder' ? node : negativeErrno('NOTDIR')
}

/** The node at the path in a C string, relative to the descriptor `at`. */
export function nodeAt(process: Process, at: number, path: number): Node | number {
  const text = process.memory.text(path)
  if (text === null) return negativeErrno('ILSEQ')
  const from = text.startsWith('/') ? process.tree.root : base(process, at)
  return typeof from === 'number' ? from : process.tree.find(from, text)
}

/** The location at the path in a C string, relative to the descriptor `at`. */
export function locationAt(process: Process, at: number, path: number): NodeLocation | number {
  const text = process.memory.text(path)
  if (text === null) return negativeErrno('ILSEQ')
  const from = text.startsWith('/') ? process.tree.root : base(process, at)
  return typeof from === 'number' ? from : process.tree.locate(from, text)
}
