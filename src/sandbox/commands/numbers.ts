// Parses counts in options, with GNU's suffixes.

import { Failed } from './command.ts'

const SUFFIXES: Readonly<Record<string, number>> = {
  b: 512,
  kB: 1e3,
  K: 1024,
  k: 1024,
  KiB: 1024,
  MB: 1e6,
  M: 1024 ** 2,
  m: 1024 ** 2,
  MiB: 1024 ** 2,
  GB: 1e9,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
}

/** Parses a count such as `10` or `2K`. `what` describes it in the message: `invalid number of lines`. */
export function parseCount(text: string, what: string, exitCode = 1): number {
  const [, digits, suffix = ''] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? []
  const factor = suffix === '' ? 1 : Object.hasOwn(SUFFIXES, suffix) ? SUFFIXES[suffix] : undefined
  if (digits === undefined || factor === undefined) throw new Failed(`${what}: ‘${text}’`, exitCode)
  return Number(digits) * factor
}
