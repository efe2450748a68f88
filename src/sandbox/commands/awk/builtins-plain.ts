// Built-in functions that only compute with values.

import { Failed, Unsupported } from '../command.ts'
import { charactersBefore, charactersOf } from './characters.ts'
import type { Machine } from './machine.ts'
import { broken, timeOf } from './time.ts'
import { numberOf, type Value } from './values.ts'

export interface PlainBuiltin {
  readonly least: number
  readonly most: number
  readonly run: (values: readonly Value[], machine: Machine) => Value
}

function math(least: number, run: (...numbers: readonly number[]) => number): PlainBuiltin {
  return { least, most: least, run: (values) => run(...values.map(numberOf)) }
}

/** Applies a bitwise operation to non-negative integers of any size. */
function bits(name: string, join: (one: bigint, other: bigint) => bigint): PlainBuiltin {
  return {
    least: 2,
    most: 20,
    run: (values) =>
      Number(
        values
          .map((value) => {
            const number = Math.trunc(numberOf(value))
            if (!(number >= 0 && number < 2 ** 64))
              throw new Failed(`fatal: ${name}: negative values are not allowed`, 2)
            return BigInt(number)
          })
          .reduce(join),
      ),
  }
}

const ALL = 2n ** 64n - 1n

export const PLAIN: Readonly<Record<string, PlainBuiltin>> = {
  substr: { least: 2, most: 3, run: substring },
  index: {
    least: 2,
    most: 2,
    run: ([text, part], machine) => {
      const whole = machine.text(text)
      const at = whole.indexOf(machine.text(part))
      if (machine.ignoreCase) {
        const low = whole.toLowerCase().indexOf(machine.text(part).toLowerCase())
        return low === -1 ? 0 : charactersBefore(whole, low) + 1
      }
      return at === -1 ? 0 : charactersBefore(whole, at) + 1
    },
  },
  tolower: {
    least: 1,
    most: 1,
    run: ([text], machine) => eachCased(machine.text(text), (part) => part.toLowerCase()),
  },
  toupper: {
    least: 1,
    most: 1,
    run: ([text], machine) => eachCased(machine.text(text), (part) => part.toUpperCase()),
  },
  sin: math(1, (x = 0) => Math.sin(x)),
  cos: math(1, (x = 0) => Math.cos(x)),
  atan2: math(2, (y = 0, x = 0) => Math.atan2(y, x)),
  exp: math(1, (x = 0) => Math.exp(x)),
  log: math(1, (x = 0) => Math.log(x)),
  sqrt: math(1, (x = 0) => Math.sqrt(x)),
  int: math(1, (x = 0) => Math.trunc(x)),
  and: bits('and', (one, other) => one & other),
  or: bits('or', (one, other) => one | other),
  xor: bits('xor', (one, other) => one ^ other),
  lshift: { ...bits('lshift', (one, by) => (one << by) & ALL), most: 2 },
  rshift: { ...bits('rshift', (one, by) => one >> by), most: 2 },
  compl: {
    least: 1,
    most: 1,
    run: ([value]) => {
      const number = Math.trunc(numberOf(value))
      if (number < 0) throw new Failed('fatal: compl(): negative value is not allowed', 2)
      // GNU awk keeps as many bits as a double holds, starting with the lowest bit that is set.
      const all = ~BigInt(number) & ALL
      let zeros = 0
      while (zeros < 11 && ((all >> BigInt(zeros)) & 1n) === 0n) zeros++
      return Number(BigInt.asUintN(53 + zeros, all))
    },
  },
  mkbool: {
    least: 1,
    most: 1,
    run: () => {
      throw new Unsupported('awk mkbool', 'a comparison: (x != 0)')
    },
  },
  strtonum: { least: 1, most: 1, run: strtonum },
  rand: { least: 0, most: 0, run: (_values, machine) => random(machine) },
  srand: {
    least: 0,
    most: 1,
    run: ([seed], { random: state, io }) => {
      const before = state.seed
      state.seed = seed === undefined ? Math.floor(io.now() / 1000) : numberOf(seed)
      state.state = Math.trunc(state.seed) | 0
      return before
    },
  },
  systime: { least: 0, most: 0, run: (_values, { io }) => Math.floor(io.now() / 1000) },
  mktime: {
    least: 1,
    most: 2,
    run: ([text, utc], machine) => timeOf(machine.text(text), utc !== undefined, machine.io.env),
  },
  strftime: {
    least: 0,
    most: 3,
    run: ([format, time, utc], machine) =>
      broken(
        format === undefined ? '%a %b %e %H:%M:%S %Z %Y' : machine.text(format),
        time === undefined ? Math.floor(machine.io.now() / 1000) : Math.trunc(numberOf(time)),
        utc !== undefined && numberOf(utc) !== 0,
        machine.io.env,
      ),
  },
}

/** Positions are truncated to integers; a position before the start counts as the start. */
function substring([text, from, size]: readonly Value[], machine: Machine): Value {
  const whole = machine.text(text)
  const number = numberOf(from)
  const first = number >= 1 ? Math.trunc(number) - 1 : 0
  if (size === undefined) return charactersOf(whole, first, Infinity)
  const length = numberOf(size)
  return length >= 1 ? charactersOf(whole, first, first + Math.trunc(length)) : ''
}

/** A character whose other case has a different length stays unchanged, as in the C library. */
function eachCased(text: string, change: (text: string) => string): string {
  if (/^[\0-\x7F]*$/.test(text)) return change(text)
  let result = ''
  for (const char of text) {
    const changed = change(char)
    result += Array.from(changed).length === 1 ? changed : char === 'İ' && changed !== 'İ' ? 'i' : char
  }
  return result
}

function strtonum([value]: readonly Value[], machine: Machine): Value {
  if (typeof value === 'number') return value
  const text = machine.text(value).trimStart()
  const based = /^([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]+(?![0-9.eE]))/.exec(text)
  if (!based) return numberOf(value)
  const digits = based[2] ?? ''
  const number = /^0[xX]/.test(digits) ? Number(digits) : Number.parseInt(digits, 8)
  return based[1] === '-' ? -number : number
}

/** A number from 0 up to 1. The same seed gives the same sequence, which differs from GNU awk's. */
function random({ random: state }: Machine): number {
  state.state = (state.state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state.state ^ (state.state >>> 15), 1 | state.state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
