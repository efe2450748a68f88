// The error for a refused file operation, with the reasons that a shell prints.

/** The message is that of the C library. */
export class Refusal extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export const READ_ONLY = 'Read-only file system'
export const MISSING = 'No such file or directory'
export const EXISTS = 'File exists'
export const FULL = 'No space left on device'
export const IS_FOLDER = 'Is a directory'
export const NOT_FOLDER = 'Not a directory'
