// Checks the folders that the option `--skills` names, for all commands.

import { statSync } from 'node:fs'

/** A message about the first folder that does not exist; null if all do. */
export function findMissingFolder(directories: readonly string[]): string | null {
  const missing = directories.find(
    (directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true,
  )
  return missing === undefined ? null : `--skills ${missing}: This folder does not exist.`
}
