// `cmp`: prints the first byte in which two files differ, or all of them.

import { Failed, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseCount } from '../numbers.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [
  { flags: '-b --print-bytes' },
  { flags: '-i --ignore-initial', value: 'required' },
  { flags: '-l --verbose' },
  { flags: '-n --bytes', value: 'required' },
  { flags: '-s --quiet --silent' },
] as const
const TROUBLE = 2
const LINE_END = 10
/** Width of an offset if no file size is known: digits of the largest offset. */
const OFFSET_WIDTH = 19

export const cmp: Command = {
  async run(io) {
    const parsed = parseOptions('cmp', io.args, OPTIONS, { usageExit: TROUBLE })
    const [one, other = '-', first, second, extra] = parsed.operands
    const usage = "\ncmp: Try 'cmp --help' for more information."
    if (one === undefined) throw new Failed(`missing operand after 'cmp'${usage}`, TROUBLE)
    if (extra !== undefined) throw new Failed(`extra operand '${extra}'${usage}`, TROUBLE)
    if (parsed.has('-l') && parsed.has('-s'))
      throw new Failed(`options -l and -s are incompatible${usage}`, TROUBLE)
    const skips = (parsed.value('-i') ?? '0').split(':')
    const count = (text: string, what: string): number => parseCount(text, `invalid --${what} value`, TROUBLE)
    const skip = [first ?? skips[0] ?? '0', second ?? skips[1] ?? skips[0] ?? '0'].map((text) =>
      count(text, 'ignore-initial'),
    )
    const limit = parsed.has('-n') ? count(parsed.value('-n') ?? '', 'bytes') : Infinity
    const quiet = parsed.has('-s')
    const left = await opened(io, one, quiet)
    const right = await opened(io, other, quiet)
    if (!left || !right) return TROUBLE
    const [a, b] = [left, right].map((bytes, at) => bytes.subarray(skip[at], (skip[at] ?? 0) + limit))
    if (!a || !b) return TROUBLE
    // The width of offsets is that of the shorter file's size, if sizes are known.
    const sizes = [one, other].flatMap((name, at) =>
      isPipe(io, name) ? [] : [([left, right][at]?.length ?? 0) - (skip[at] ?? 0)],
    )
    const known = Math.min(limit, ...sizes)
    const width = known === Infinity ? OFFSET_WIDTH : String(Math.max(0, known)).length
    const [all, shows] = [parsed.has('-l'), parsed.has('-b')]
    return compare(io, { one, other, a, b, all, shows, quiet, width })
  },
}

interface Compared {
  readonly one: string
  readonly other: string
  readonly a: Uint8Array
  readonly b: Uint8Array
  readonly all: boolean
  readonly shows: boolean
  readonly quiet: boolean
  /** The width of offsets. */
  readonly width: number
}

async function compare(
  io: CommandIo,
  { one, other, a, b, all, shows, quiet, width }: Compared,
): Promise<number> {
  const length = Math.min(a.length, b.length)
  let exitCode = 0
  let line = 1
  for (let at = 0; at < length; at++) {
    const [left = 0, right = 0] = [a[at], b[at]]
    if (left === right) {
      if (left === LINE_END) line++
      continue
    }
    exitCode = 1
    if (quiet) return 1
    const bytes = (gap: string): string =>
      `${octal(left)}${shows ? ` ${visible(left)}` : ''}${gap}${octal(right)}${shows ? ` ${visible(right)}` : ''}`
    if (!all) {
      await io.stdout.write(
        `${one} ${other} differ: byte ${at + 1}, line ${line}${shows ? ` is ${bytes(' ')}` : ''}\n`,
      )
      return 1
    }
    const shown = shows
      ? `${octal(left)} ${visible(left).padEnd(4)} ${octal(right)} ${visible(right)}`
      : `${octal(left)} ${octal(right)}`
    await io.stdout.write(`${String(at + 1).padStart(width)} ${shown}\n`)
  }
  if (a.length === b.length) return exitCode
  if (!quiet) {
    const shorter = a.length < b.length ? one : other
    const ended =
      length === 0
        ? 'which is empty'
        : all
          ? `after byte ${length}`
          : (a.length < b.length ? a : b)[length - 1] === LINE_END
            ? `after byte ${length}, line ${line - 1}`
            : `after byte ${length}, in line ${line}`
    await io.stderr.write(`cmp: EOF on ${shorter} ${ended}\n`)
  }
  return 1
}

function isPipe(io: CommandIo, name: string): boolean {
  return name === '-' ? io.stdin.size === undefined : name.startsWith('/dev/fd/')
}

async function opened(io: CommandIo, name: string, quiet: boolean): Promise<Uint8Array | null> {
  try {
    return await readAll(name === '-' ? io.stdin : await io.files.open(name))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (!quiet) await io.stderr.write(`cmp: ${name}: ${error.message}\n`)
    return null
  }
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3)
}

/** Shows a byte as `A`, `^A` or `M-A`. */
function visible(byte: number): string {
  if (byte >= 128) return `M-${visible(byte - 128)}`
  if (byte === 127) return '^?'
  return byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte)
}
