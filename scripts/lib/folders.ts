// Folders that `--skills` names, for all commands.

import { statSync } from 'node:fs'

/** A message about the first missing one; null if all exist. */
export function missingFolder(directories: readonly string[]): string | null {
  const missing = directories.find(
    (directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true,
  )
  return missing === undefined ? null : `--skills ${missing}: there is no such folder.`
}
