// Records which file contents the model knows. This happens only once it has the results of a step, because
// it requested parallel calls without knowing each other's results.

import type { FileTree } from '../../files/tree.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Must be called in the same block that appends the results of these calls. */
export function recordKnownFiles(files: FileTree, calls: readonly JournalCall[]): void {
  for (const { notes } of calls)
    for (const note of notes) if (note.type === 'file') files.markKnown(note.path, note.sha256)
}
