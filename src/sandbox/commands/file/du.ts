// `du`: prints the sizes of folders in blocks of 4 KiB, or in bytes.

import { Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import { parseOptions } from '../options.ts'
import { blocksOf, sizeOf } from './facts.ts'
import { humanSize } from './human-size.ts'
import { joinedPath, plainPath, quotedName } from './names.ts'
import { complain } from './report.ts'

const OPTIONS = [
  { flags: '-a --all' },
  { flags: '--apparent-size' },
  { flags: '-b --bytes' },
  { flags: '-c --total' },
  { flags: '-d --max-depth', value: 'required' },
  { flags: '-h --human-readable' },
  { flags: '-k' },
  { flags: '-m' },
  { flags: '-s --summarize' },
  { flags: '-S --separate-dirs' },
  { flags: '-x --one-file-system' },
  { flags: '-0 --null' },
  { flags: '-B --block-size', value: 'required', refused: 'du -b, -k or -m' },
  { flags: '--si', refused: 'du -h' },
  { flags: '-D --dereference-args', refused: 'du without it' },
  { flags: '-L --dereference', refused: 'du without it' },
  { flags: '-X --exclude-from', value: 'required', refused: 'find' },
  { flags: '--exclude', value: 'required', refused: 'find' },
  { flags: '-t --threshold', value: 'required', refused: 'du | awk' },
  { flags: '--time', value: 'optional', refused: 'find -printf' },
  { flags: '--inodes', refused: 'find | wc -l' },
  { flags: '-l --count-links', refused: 'du without it' },
] as const

export const du: Command = {
  async run(io) {
    const parsed = parseOptions('du', io.args, OPTIONS)
    const depth = parsed.value('-d')
    if (depth !== undefined && !/^\d+$/.test(depth)) throw usage('du', `invalid maximum depth ‘${depth}’`)
    if (parsed.has('-s') && parsed.has('-a')) throw usage('du', 'cannot both summarize and show all entries')
    if (parsed.has('-s') && depth !== undefined && depth !== '0')
      throw new Unsupported('du -s with -d', 'one of them')
    const apparent = parsed.has('-b') || parsed.has('--apparent-size')
    const unit = parsed.last('-b', '-k', '-m', '-h') ?? '-k'
    const shown = (bytes: number): string => {
      if (unit === '-h') return humanSize(bytes)
      return String(unit === '-b' ? bytes : Math.ceil(bytes / (unit === '-m' ? 1_048_576 : 1024)))
    }
    const rules: Rules = {
      depth: parsed.has('-s') ? 0 : depth === undefined ? Infinity : Number(depth),
      files: parsed.has('-a'),
      apparent,
      separate: parsed.has('-S'),
      write: async (bytes, path) =>
        io.stdout.write(`${shown(bytes)}\t${path}${parsed.has('-0') ? '\0' : '\n'}`),
    }
    let exitCode = 0
    let total = 0
    const seen = new Set<string>()
    for (const path of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
      const real = io.files.resolve(path)
      if (!(await io.files.lstat(path))) {
        await complain(io, `cannot access ${quotedName(path)}: No such file or directory`)
        exitCode = 1
      } else if (![...seen].some((before) => real === before || real.startsWith(`${before}/`))) {
        total += await sizeBelow(io, rules, plainPath(path), 0)
        seen.add(real)
      }
    }
    if (parsed.has('-c')) await rules.write(total, 'total')
    return exitCode
  },
}

interface Rules {
  readonly depth: number
  /** Whether files are printed, too. */
  readonly files: boolean
  readonly apparent: boolean
  /** Whether the size of a folder excludes its subfolders. */
  readonly separate: boolean
  readonly write: (bytes: number, path: string) => Promise<void>
}

/** Prints what is at `path`. Returns the total size. */
async function sizeBelow(io: CommandIo, rules: Rules, path: string, level: number): Promise<number> {
  const status = await io.files.lstat(path)
  if (!status) return 0
  let own = rules.apparent ? sizeOf(status) : blocksOf(status) * 4096
  let below = 0
  if (status.kind === 'directory')
    for (const name of await io.files.list(path)) {
      const inner = joinedPath(path, name)
      const bytes = await sizeBelow(io, rules, inner, level + 1)
      if (rules.separate && (await io.files.lstat(inner))?.kind === 'directory') below += bytes
      else own += bytes
    }
  if (level <= rules.depth && (status.kind === 'directory' || rules.files || level === 0))
    await rules.write(own, path)
  return own + below
}
