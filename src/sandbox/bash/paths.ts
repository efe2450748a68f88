// Decides which paths a guest may write, and which files programs get.

import { DATA_FOLDERS, pathFromRoot } from '../../files/path.ts'

export const SCRATCH = '/tmp'

export function isBelow(real: string, folder: string): boolean {
  return real.startsWith(`${folder}/`)
}

/** Whether programs get the file at `path`: files that the host stores, and /tmp. */
export function isSharedPath(path: string): boolean {
  return pathFromRoot(path) !== null || isBelow(path, SCRATCH)
}

/** Whether a guest may create a folder at `path`, which is only possible inside the folders that every tree has. */
export function mayHaveFolder(path: string): boolean {
  const [root = '', ...innerNames] = (pathFromRoot(path) ?? '').split('/')
  return isBelow(path, SCRATCH) || (DATA_FOLDERS.some((folder) => folder === root) && innerNames.length > 0)
}
