// What the model knows of its files once it has got the results of a step, and not before: a call beside the one that
// reads a file was asked for without knowing what is in it.

import type { FileTree } from '../../files/tree.ts'
import type { JournalCall } from '../rows/journal.ts'

/** In one block with the results of these calls. */
export function learned(files: FileTree, calls: readonly JournalCall[]): void {
  for (const { notes } of calls)
    for (const note of notes) if (note.type === 'file') files.known(note.path, note.sha256)
}
