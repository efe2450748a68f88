// The options of `join`.

import { Failed, usage } from '../command.ts'
import { latin1OfText } from '../io/latin1.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-a', value: 'required' },
  { flags: '-e', value: 'required' },
  { flags: '-i --ignore-case' },
  { flags: '-j', value: 'required' },
  { flags: '-1', value: 'required' },
  { flags: '-2', value: 'required' },
  { flags: '-o', value: 'required' },
  { flags: '-t', value: 'required' },
  { flags: '-v', value: 'required' },
  { flags: '--check-order' },
  { flags: '--nocheck-order' },
  { flags: '--header' },
  { flags: '-z --zero-terminated' },
] as const

/** An output field: from file 0 (the key), 1 or 2. */
interface OutputField {
  readonly file: 0 | 1 | 2
  /** The field's index, starting at 0. */
  readonly field: number
}

export interface JoinOptions {
  readonly names: readonly [string, string]
  /** The index of the key field in each file, starting at 0. */
  readonly keys: readonly [number, number]
  readonly unpaired: readonly [boolean, boolean]
  readonly paired: boolean
  readonly ignoreCase: boolean
  /** The field separator: null for blanks; if empty, the whole line is one field. */
  readonly separator: string | null
  readonly filler: string
  /** The output format; null for the key followed by all other fields. */
  readonly format: readonly OutputField[] | 'auto' | null
  readonly order: 'check' | 'ignore' | 'warn'
  readonly header: boolean
  readonly end: '\n' | '\0'
}

export function joinOptions(args: readonly string[]): JoinOptions {
  // The list after -o may continue in the next arguments.
  const given = parseOptions('join', withListJoined(args), OPTIONS)
  const [one, other, ...more] = given.operands
  if (one === undefined) throw usage('join', 'missing operand')
  if (other === undefined) throw usage('join', `missing operand after ‘${one}’`)
  if (more.length > 0) throw usage('join', `extra operand '${more[0] ?? ''}'`)
  if (one === '-' && other === '-') throw new Failed('both files cannot be standard input')
  const keys: [number, number] = [0, 0]
  for (const { flag, value } of given.options) {
    if (flag === '-j' || flag === '-1') keys[0] = fieldNumber(value)
    if (flag === '-j' || flag === '-2') keys[1] = fieldNumber(value)
  }
  const files = [...given.values('-a'), ...given.values('-v')]
  const wrong = files.find((file) => file !== '1' && file !== '2')
  if (wrong !== undefined) throw new Failed(`invalid field number: ‘${wrong}’`)
  const order = given.last('--check-order', '--nocheck-order')
  const lists = given.values('-o')
  return {
    names: [one, other],
    keys,
    unpaired: [files.includes('1'), files.includes('2')],
    paired: !given.has('-v'),
    ignoreCase: given.has('-i'),
    separator: separatorOf(given.value('-t')),
    filler: latin1OfText(given.value('-e') ?? ''),
    format: lists.length === 0 ? null : lists.includes('auto') ? 'auto' : lists.flatMap(fieldsOf),
    order: order === '--check-order' ? 'check' : order === '--nocheck-order' ? 'ignore' : 'warn',
    header: given.has('--header'),
    end: given.has('-z') ? '\0' : '\n',
  }
}

function withListJoined(args: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    joined.push(arg)
    if (arg !== '-o') continue
    let list = args[++at] ?? ''
    while (/^(?:0|[12]\.\d+)(?:[, ](?:0|[12]\.\d+))*$/.test(args[at + 1] ?? ''))
      list += `,${args[++at] ?? ''}`
    joined.push(list)
  }
  return joined
}

function fieldNumber(text: string): number {
  if (!/^\+?\d+$/.test(text) || Number(text) === 0) throw new Failed(`invalid field number: ‘${text}’`)
  return Number(text) - 1
}

function separatorOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text === String.raw`\0`) return '\0'
  const bytes = latin1OfText(text)
  if (bytes.length > 1) throw new Failed(`multi-character tab ‘${text}’`)
  return bytes
}

function fieldsOf(list: string): readonly OutputField[] {
  return list
    .split(/[, \t]+/)
    .filter((word) => word !== '')
    .map((word) => {
      if (word === '0') return { file: 0, field: 0 }
      const [, file, field] = /^([12])\.(\d+)$/.exec(word) ?? []
      if (file === undefined) throw new Failed(`invalid file number in field spec: ‘${word}’`)
      return { file: file === '1' ? 1 : 2, field: fieldNumber(field ?? '') }
    })
}
