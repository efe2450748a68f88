// The error for a refused file operation, with the reasons that a shell prints.

/** Messages that the commands of just-bash recognize and replace with their own. */
const RECOGNIZED_MESSAGES: Readonly<Record<string, string>> = {
  'No such file or directory': 'ENOENT: no such file or directory',
  'File exists': 'EEXIST: file already exists',
  'Directory not empty': 'ENOTEMPTY: directory not empty',
  'Is a directory': 'EISDIR: illegal operation on a directory',
  'Not a directory': 'ENOTDIR: not a directory',
  'Too many levels of symbolic links': 'ELOOP: too many levels of symbolic links',
}

/** Thrown to just-bash, whose file system reports errors by throwing. */
export class Refusal extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(RECOGNIZED_MESSAGES[reason] ?? reason)
    this.reason = reason
  }
}

export const READ_ONLY = 'Read-only file system'
export const MISSING = 'No such file or directory'
export const EXISTS = 'File exists'
export const FULL = 'No space left on device'
export const NOT_PERMITTED = 'Operation not permitted'
export const IS_FOLDER = 'Is a directory'
export const NOT_FOLDER = 'Not a directory'
