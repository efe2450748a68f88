// The options of `xxd`: one word each, with one or two dashes.

import { Failed, Unsupported } from '../command.ts'

export interface XxdOptions {
  readonly style: 'hex' | 'plain' | 'bits' | 'include' | 'little'
  readonly reverse: boolean
  readonly upper: boolean
  readonly decimal: boolean
  /** Bytes per line. */
  readonly columns: number
  /** Bytes per group; 0 for a single group. */
  readonly group: number
  readonly length: number
  readonly seek: number
  /** Added to the printed offsets. */
  readonly offset: number
  readonly input: string
  readonly output: string | null
}

/** Options that only the real command has. */
const OTHERS = /^-(?:a|autoskip|C|capitalize|E|EBCDIC|h|help|n|name|R|t|v|version)/

export function xxdOptions(args: readonly string[]): XxdOptions {
  let style: XxdOptions['style'] = 'hex'
  let [reverse, upper, decimal] = [false, false, false]
  let [columns, group] = [-1, -1]
  let [length, seek, offset] = [Infinity, 0, 0]
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const word = arg.replace(/^--(?=.)/, '-')
    const valued = /^-(c|cols|g|groupsize|l|len|s|skip|seek|o)(\d.*|[+-].*|0x.*)?$/.exec(word)
    if (operands.length > 0 || word === '-' || !word.startsWith('-')) operands.push(arg)
    else if (arg === '--') {
      operands.push(...args.slice(at + 1))
      break
    } else if (valued) {
      const value = numberOf(valued[2] ?? args[++at] ?? '', valued[1] ?? '')
      const [letter] = valued[1] ?? ''
      if (letter === 'c') columns = value
      else if (letter === 'g') group = value
      else if (letter === 'l') length = value
      else if (letter === 's') seek = value
      else offset = value
    } else if (/^-(?:p|ps|postscript|plain)$/.test(word)) style = 'plain'
    else if (/^-(?:b|bits)$/.test(word)) style = 'bits'
    else if (/^-(?:i|include)$/.test(word)) style = 'include'
    else if (word === '-e') style = 'little'
    else if (/^-(?:r|revert)$/.test(word)) reverse = true
    else if (/^-(?:u|uppercase)$/.test(word)) upper = true
    else if (word === '-d') decimal = true
    else if (/^-(?:ps?r|rps?)$/.test(word)) throw new Unsupported(`xxd ${arg}`, 'xxd -r -p')
    else if (OTHERS.test(word)) throw new Unsupported(`xxd ${arg}`, 'a form without it, or od')
    else throw new Failed('Usage: xxd [options] [infile [outfile]]', 1)
  }
  if (reverse && style !== 'hex' && style !== 'plain')
    throw new Failed('cannot revert this type of hexdump', 255)
  const usualColumns = { hex: 16, little: 16, plain: 30, bits: 6, include: 12 }[style]
  const usualGroup = { hex: 2, little: 4, plain: 0, bits: 1, include: 0 }[style]
  if (columns === 0 && style === 'plain') columns = 2 ** 31
  if (columns === 0) columns = usualColumns
  if (columns > 256 && style !== 'plain') throw new Failed('invalid number of columns (max. 256).', 1)
  const bytes = columns < 1 ? usualColumns : columns
  const between = group === 0 ? bytes : group
  if (style === 'little' && between > 0 && (between & (between - 1)) !== 0)
    throw new Failed('number of octets per group must be a power of 2 with -e.', 1)
  return {
    style,
    reverse,
    upper,
    decimal,
    columns: bytes,
    group: between < 0 ? usualGroup : Math.min(between, bytes),
    length,
    seek,
    offset,
    input: operands[0] ?? '-',
    output: operands[1] ?? null,
  }
}

function numberOf(text: string, letter: string): number {
  const number = /^0[xX][\da-fA-F]+$/.test(text)
    ? Number(text)
    : /^0[0-7]+$/.test(text)
      ? Number.parseInt(text, 8)
      : /^\d+$/.test(text)
        ? Number(text)
        : Number.NaN
  if (Number.isNaN(number)) throw new Unsupported(`xxd -${letter} ${text}`, 'a number that is not negative')
  return number
}
