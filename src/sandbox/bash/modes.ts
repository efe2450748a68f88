// The modes of the shell's files, which it shares with the programs of its call.

import { pathFromRoot } from '../../files/path.ts'
import { FOLDER_MODE, modeOfStoredFile, type FileMode } from '../file-modes.ts'
import type { Entries } from './entries.ts'

/** The modes that differ from the defaults. */
export function unusualModes(entries: Entries): readonly FileMode[] {
  return [...entries.each()].flatMap(([path, { kind, mode }]): readonly FileMode[] => {
    const usual = kind === 'file' ? modeOfStoredFile(path) : FOLDER_MODE
    return kind === 'link' || mode === usual || !mayHaveMode(path) ? [] : [[path, mode]]
  })
}

/** Applies the modes that a program set. */
export function applyModes(entries: Entries, modes: readonly FileMode[]): void {
  for (const [path, mode] of modes) {
    const entry = entries.get(entries.resolve(path, true))
    if (entry && entry.kind !== 'link' && mayHaveMode(path)) entry.mode = mode & 0o777
  }
}

/** Whether a guest may set the mode of what is at `path`. */
function mayHaveMode(path: string): boolean {
  return path.startsWith('/tmp/') || (pathFromRoot(path) ?? '').includes('/')
}
