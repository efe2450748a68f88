// Generates the names of the files that `split` writes: `xaa`, `x00`.

import { Failed } from '../command.ts'

export interface NameRules {
  readonly prefix: string
  readonly digits: string
  /** Number of characters after the prefix. Null to start with two, and use more when these are used up. */
  readonly length: number | null
  /** The first number. */
  readonly start: number
  readonly more: string
}

/** Throws a `Failed` when all names are used. */
export function* namesOf({ prefix, digits, length, start, more }: NameRules): Generator<string> {
  const base = digits.length
  const last = digits.at(-1) ?? ''
  const write = (number: number, width: number): string => {
    let text = ''
    for (let left = number; text.length < width; left = Math.floor(left / base))
      text = (digits[left % base] ?? '') + text
    return text
  }
  if (length !== null) {
    for (let number = start; number < base ** length; number++) yield prefix + write(number, length) + more
    throw new Failed('output file suffixes exhausted')
  }
  // Once all but the last first characters are used, names become longer: xyz, xzaaa.
  let start_ = ''
  for (let width = 2; ; width++) {
    for (let number = 0; number < (base - 1) * base ** (width - 1); number++)
      yield prefix + start_ + write(number, width) + more
    start_ += last
  }
}
