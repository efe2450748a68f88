// `truncate`: makes files shorter, or longer with NUL bytes.

import { Failed, Unsupported, type Command } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-c --no-create' },
  { flags: '-o --io-blocks', refused: 'a size in bytes' },
  { flags: '-r --reference', value: 'required' },
  { flags: '-s --size', value: 'required' },
] as const

/** Maximum size of a file that the shell can hold. */
const MOST = 16_777_216

export const truncate: Command = {
  async run(io) {
    const given = parseOptions('truncate', io.args, OPTIONS)
    const [size, reference] = [given.value('-s'), given.value('-r')]
    if (size === undefined && reference === undefined)
      throw new Failed('you must specify either ‘--size’ or ‘--reference’')
    if (given.operands.length === 0) throw new Failed('missing file operand')
    const [, mode = '', digits = ''] = /^\s*([+<>/%-]?)\s*(.*)$/s.exec(size ?? '+0') ?? []
    if (reference !== undefined && size !== undefined && mode === '')
      throw new Failed("you must specify a relative '--size' with '--reference'")
    const number = parseCount(digits, 'Invalid number')
    if ((mode === '/' || mode === '%') && number === 0) throw new Failed('division by zero')
    let base: number | null = null
    if (reference !== undefined) {
      const status = await io.files.stat(reference)
      if (!status) throw new Failed(`cannot stat '${reference}': No such file or directory`)
      base = status.size
    }
    let exitCode = 0
    for (const name of given.operands)
      try {
        const status = await io.files.stat(name)
        if (!status && given.has('-c')) continue
        const before = status ? await io.files.read(name) : new Uint8Array()
        const after = sizeAfter(base ?? before.length, mode, number)
        if (after > MOST) throw new Unsupported(`truncate to ${after} bytes`, 'a smaller size')
        if (after === before.length && status) continue
        const bytes = new Uint8Array(after)
        bytes.set(before.subarray(0, after))
        await io.files.write(name, bytes)
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await io.stderr.write(`truncate: cannot open '${name}' for writing: ${error.message}\n`)
        exitCode = 1
      }
    return exitCode
  },
}

function sizeAfter(before: number, mode: string, number: number): number {
  switch (mode) {
    case '+':
      return before + number
    case '-':
      return Math.max(0, before - number)
    case '<':
      return Math.min(before, number)
    case '>':
      return Math.max(before, number)
    case '/':
      return before - (before % number)
    case '%':
      return Math.ceil(before / number) * number
    default:
      return number
  }
}
