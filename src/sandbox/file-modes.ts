// The modes of files and folders. They exist only within a call, because modes are not stored.

/** A mode that was set, for the shell and programs of the same call. */
export type FileMode = readonly [path: string, mode: number]

/** Stored files that can be executed by their path. Their names decide, because modes are not stored. */
const RUNNABLE = /\.(?:sh|bash|py|js|mjs|cjs|ts|mts)$/

/** The mode of a file that existed before the call. */
export function modeOfStoredFile(path: string): number {
  return RUNNABLE.test(path) ? 0o755 : 0o644
}

/** The default mode of a file that a command creates. */
export const NEW_FILE_MODE = 0o644
/** The default mode of a folder. */
export const FOLDER_MODE = 0o755
/** The modes that programs request for ordinary new files and folders. */
const USUAL = [0o666, 0o777]
/** The default umask. */
export const USUAL_UMASK = 0o022

/** The mode that a program requests for a new file or folder; null if it is the default. */
export function modeGiven(mode: number, umask = USUAL_UMASK): number | null {
  const bits = mode & 0o777
  return USUAL.includes(bits) && umask === USUAL_UMASK ? null : bits & ~umask
}
