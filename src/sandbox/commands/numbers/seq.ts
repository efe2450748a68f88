// `seq`: prints a sequence of numbers.

import { Failed, Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { numberBody, padded, type Conversion } from '../awk/conversions.ts'
import { parseOptions } from '../options.ts'
import { decimalOf, decimalText, scaled, type Decimal } from './decimal.ts'

const OPTIONS = [
  { flags: '-f --format', value: 'required' },
  { flags: '-s --separator', value: 'required' },
  { flags: '-w --equal-width' },
] as const

/** The number of decimals and of characters of a number as written. */
interface Written {
  readonly value: Decimal
  readonly precision: number
  readonly width: number
}

/** Number of characters written at once. */
const BATCH = 32_768

export const seq: Command = {
  async run(io) {
    const given = parseOptions('seq', beforeNumbers(io.args), OPTIONS, { operandsLast: true })
    const { operands } = given
    if (operands.length === 0) throw usage('seq', 'missing operand')
    if (operands.length > 3) throw usage('seq', `extra operand ‘${operands[3] ?? ''}’`)
    const numbers = operands.map(written)
    const one: Written = { value: { digits: 1n, scale: 0 }, precision: 0, width: 1 }
    const last = numbers.at(-1) ?? one
    const first = numbers.length > 1 ? (numbers[0] ?? one) : one
    const step = numbers.length > 2 ? (numbers[1] ?? one) : one
    if (step.value.digits === 0n) throw usage('seq', `invalid Zero increment value: ‘${operands[1] ?? ''}’`)
    const format = given.value('-f')
    if (format !== undefined && given.has('-w'))
      throw new Failed('format string may not be specified when printing equal width strings')
    const scale = Math.max(first.value.scale, step.value.scale, last.value.scale)
    const decimals = Math.max(first.precision, step.precision)
    const width = given.has('-w') ? widthOf(first, last, decimals) : 0
    const text =
      format === undefined
        ? (digits: bigint): string =>
            filled(decimalText(digits / 10n ** BigInt(scale - decimals), decimals), width)
        : formatter(format, scale)
    const between = given.value('-s') ?? '\n'
    const [from, by, to] = [first, step, last].map(({ value }) => scaled(value, scale))
    if (from === undefined || by === undefined || to === undefined) return 1
    const isPast = (digits: bigint): boolean => (by > 0n ? digits > to : digits < to)
    if (isPast(from)) return 0
    const isSmall = [from, by, to].every((number) => number > -SAFE && number < SAFE)
    if (isSmall && scale === 0 && width === 0 && format === undefined)
      return integers(io, Number(from), Number(by), Number(to), between)
    let output = ''
    for (let digits = from; ;) {
      output += text(digits)
      digits += by
      if (isPast(digits)) break
      output += between
      if (output.length < BATCH) continue
      await io.stdout.write(output)
      output = ''
    }
    await io.stdout.write(`${output}\n`)
    return 0
  },
}

const SAFE = 2n ** 52n

async function integers(
  io: CommandIo,
  from: number,
  by: number,
  to: number,
  between: string,
): Promise<number> {
  let output = String(from)
  for (let number = from + by; by > 0 ? number <= to : number >= to; number += by) {
    output += between + String(number)
    if (output.length < BATCH) continue
    await io.stdout.write(output)
    output = ''
  }
  await io.stdout.write(`${output}\n`)
  return 0
}

/** `-5` is a number, not an option. */
function beforeNumbers(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length && /^-[a-zA-Z-]/.test(args[at] ?? '') && !/^-(?:inf|nan)/i.test(args[at] ?? '')) {
    const arg = args[at] ?? ''
    if (arg === '--') return args
    at += /^(?:-w*[fs]|--format|--separator)$/.test(arg) ? 2 : 1
  }
  return [...args.slice(0, at), '--', ...args.slice(at)]
}

function written(text: string): Written {
  const bare = text.trimStart().replace(/^\+/, '')
  const value = decimalOf(bare)
  if (!value) {
    if (/^[+-]?(?:0[xX]|inf|nan)/i.test(bare)) throw new Unsupported(`seq ${text}`, 'a decimal number')
    throw usage('seq', `invalid floating point argument: ‘${text}’`)
  }
  if (bare.startsWith('-') && value.digits === 0n) throw new Unsupported(`seq ${text}`, '0')
  const [, exponentText] = /[eE]([+-]?\d+)$/.exec(bare) ?? []
  const mantissa = bare.replace(/[eE].*$/, '')
  const point = mantissa.indexOf('.')
  const decimals = point === -1 ? 0 : mantissa.length - point - 1
  let width = mantissa.length
  if (point !== -1 && decimals === 0) width--
  else if (point !== -1 && !/\d/.test(mantissa[point - 1] ?? '')) width++
  let precision = decimals
  if (exponentText !== undefined) {
    const exponent = Number(exponentText)
    precision += exponent < 0 ? -exponent : -Math.min(precision, exponent)
    if (exponent < 0 && (point === -1 || decimals === 0)) width++
    width += Math.abs(exponent)
  }
  return { value, precision, width }
}

function widthOf(first: Written, last: Written, decimals: number): number {
  const own = first.width + decimals - first.precision + (first.precision === 0 && decimals > 0 ? 1 : 0)
  let other = last.width + decimals - last.precision
  if (last.precision > 0 && decimals === 0) other--
  if (last.precision === 0 && decimals > 0) other++
  return Math.max(own, other)
}

function filled(text: string, width: number): string {
  if (text.length >= width) return text
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

/** Formats numbers with a format such as `file%03g.txt`. */
function formatter(format: string, scale: number): (digits: bigint) => string {
  const parts = format.replaceAll('%%', '\0').split('%')
  if (parts.length < 2) throw new Failed(`format ‘${format}’ has no % directive`)
  if (parts.length > 2) throw new Failed(`format ‘${format}’ has too many % directives`)
  const [before = '', directive = ''] = parts.map((part) => part.replaceAll('\0', '%'))
  const [all, flags = '', width = '', precision, letter = ''] =
    /^([-+ #0']*)(\d*)(?:\.(\d*))?L?([aAeEfFgG])/.exec(directive) ?? []
  if (all === undefined) {
    throw new Failed(
      directive === ''
        ? `format ‘${format}’ ends in %`
        : `format ‘${format}’ has unknown %${directive[0] ?? ''} directive`,
    )
  }
  if (/[aA]/.test(letter) || flags.includes("'")) throw new Unsupported(`seq -f ${format}`, '%g, %f or %e')
  const conversion: Conversion = {
    left: flags.includes('-'),
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    zero: flags.includes('0'),
    width: width === '' ? null : Number(width),
    precision: precision === undefined ? null : Number(precision),
    letter,
  }
  const after = directive.slice(all.length)
  return (digits) => {
    const number = Number(decimalText(digits, scale))
    if (Math.abs(number) >= 1e15 || (precision !== undefined && Number(precision) > 15))
      throw new Unsupported('seq -f with so many digits', 'seq without -f')
    const body = numberBody(conversion, precision === undefined ? null : Number(precision), number)
    return before + padded(body, conversion, Number(width), precision !== undefined) + after
  }
}
