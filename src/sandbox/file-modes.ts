// The modes of files and folders, which are known only within a call: none are stored.

/** The mode that someone set, for the shell and programs of the same call. */
export type FileMode = readonly [path: string, mode: number]

/** Stored files that can be run by their path. Their names decide, because no modes are stored. */
const RUNNABLE = /\.(?:sh|bash|py|js|mjs|cjs|ts|mts)$/

/** The mode of a file that was there before the call. */
export function modeOfStoredFile(path: string): number {
  return RUNNABLE.test(path) ? 0o755 : 0o644
}

/** The mode of a file that a command creates without saying more. */
export const NEW_FILE_MODE = 0o644
/** The mode of a folder whose mode nobody set. */
export const FOLDER_MODE = 0o755
/** What programs give a new file or folder unless they want something special. */
const USUAL = [0o666, 0o777]
/** What `umask` is unless a program changes it. */
export const USUAL_UMASK = 0o022

/** The mode that a program sets for a new file or folder; null if it is the usual one. */
export function modeGiven(mode: number, umask = USUAL_UMASK): number | null {
  const bits = mode & 0o777
  return USUAL.includes(bits) && umask === USUAL_UMASK ? null : bits & ~umask
}
