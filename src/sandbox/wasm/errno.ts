// Error numbers of WASI, which the guests use. A failed host call returns a negative error number.

export const ERRNO = {
  ACCES: 2,
  AGAIN: 6,
  BADF: 8,
  BUSY: 10,
  EXIST: 20,
  FBIG: 22,
  ILSEQ: 25,
  INVAL: 28,
  IO: 29,
  ISDIR: 31,
  MFILE: 33,
  NAMETOOLONG: 37,
  NETUNREACH: 40,
  NODEV: 43,
  NOENT: 44,
  NOMEM: 48,
  NOSPC: 51,
  NOSYS: 52,
  NOTDIR: 54,
  NOTEMPTY: 55,
  NOTTY: 59,
  OVERFLOW: 61,
  PERM: 63,
  PIPE: 64,
  RANGE: 68,
  ROFS: 69,
  SPIPE: 70,
} as const

export type Errno = keyof typeof ERRNO

/** Converts an error to the negative number that a call returns. */
export function negativeErrno(errno: Errno): number {
  return -ERRNO[errno]
}
