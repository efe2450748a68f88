// Records which file contents the model knows, once it has the results of a step and not before: a parallel call was
// requested without knowing them.

import type { FileTree } from '../../files/tree.ts'
import type { JournalCall } from '../rows/journal.ts'

/** In one block with the results of these calls. */
export function learned(files: FileTree, calls: readonly JournalCall[]): void {
  for (const { notes } of calls)
    for (const note of notes) if (note.type === 'file') files.known(note.path, note.sha256)
}
