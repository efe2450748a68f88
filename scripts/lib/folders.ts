// Folders that `--skills` names, the same in each command.

import { statSync } from 'node:fs'

/** Which of them is not there, in words; null when all are. */
export function missingFolder(directories: readonly string[]): string | null {
  const missing = directories.find(
    (directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true,
  )
  return missing === undefined ? null : `--skills ${missing}: there is no such folder.`
}
