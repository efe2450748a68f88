// `gzip`, `gunzip` and `zcat`.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { isGzip, packed, unpacked } from './gzip-format.ts'

const OPTIONS = [
  { flags: '-c --stdout --to-stdout' },
  { flags: '-d --decompress --uncompress' },
  { flags: '-f --force' },
  { flags: '-k --keep' },
  { flags: '-l --list', refused: 'zcat FILE | wc -c' },
  { flags: '-n --no-name' },
  { flags: '-N --name' },
  { flags: '-q --quiet' },
  { flags: '-r --recursive', refused: 'find -exec gzip' },
  { flags: '-S --suffix', value: 'required', refused: 'gzip -c FILE > NAME' },
  { flags: '-t --test' },
  { flags: '-v --verbose', refused: 'gzip without it' },
  { flags: '-1 --fast' },
  { flags: '-2' },
  { flags: '-3' },
  { flags: '-4' },
  { flags: '-5' },
  { flags: '-6' },
  { flags: '-7' },
  { flags: '-8' },
  { flags: '-9 --best' },
  { flags: '--rsyncable', refused: 'gzip without it' },
] as const

/** Errors for damaged input, whose messages gzip prints after an empty line. */
const DAMAGED = /: (?:not in gzip format|unexpected end of file|invalid compressed data.*)$/
const LEVELS = ['-1', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9']

export const gzip: Command = {
  async run(io) {
    const given = parseOptions('gzip', io.args, OPTIONS)
    const work: Work = {
      unpacks: given.has('-d') || given.has('-t') || io.name !== 'gzip',
      toOutput: given.has('-c') || io.name === 'zcat',
      given,
    }
    let exitCode = 0
    for (const name of given.operands.length === 0 ? ['-'] : given.operands)
      try {
        await (name === '-' ? stream(io, work) : file(io, work, name))
      } catch (error) {
        if (!(error instanceof Failed) && !(error instanceof FileError)) throw error
        const blank = DAMAGED.test(error.message) ? '\n' : ''
        await io.stderr.write(
          `${blank}gzip: ${error instanceof FileError ? `${name}: ` : ''}${error.message}\n`,
        )
        // A warning (2) does not replace the exit code of an error (1).
        const code = error instanceof Failed ? error.exitCode : 1
        exitCode = exitCode === 1 ? 1 : code
      }
    return exitCode
  },
}

interface Work {
  readonly unpacks: boolean
  readonly toOutput: boolean
  readonly given: Parsed
}

function levelOf(given: Parsed): number {
  return Number((given.last(...LEVELS) ?? '-6').slice(1))
}

async function stream(io: CommandIo, { unpacks, toOutput, given }: Work): Promise<void> {
  const input = await readAll(io.stdin)
  if (!unpacks) {
    await io.stdout.write(await packed(input, levelOf(given), { name: '', time: 0 }))
    return
  }
  if (input.length === 0) throw new Failed('stdin: unexpected end of file')
  const output = !isGzip(input) && given.has('-f') && toOutput ? input : unpacked(input, 'stdin')
  if (!given.has('-t')) await io.stdout.write(output)
}

async function file(io: CommandIo, { unpacks, toOutput, given }: Work, operand: string): Promise<void> {
  const name = await existing(io, operand, unpacks)
  const status = await io.files.stat(name)
  const isReplaced = !toOutput && !given.has('-t') && !given.has('-f')
  if (isReplaced && (await io.files.lstat(name))?.kind === 'link')
    throw new Failed(`${name}: Too many levels of symbolic links`)
  if (status?.kind === 'directory') throw new Failed(`${name} is a directory -- ignored`, 2)
  const input = await io.files.read(name)
  const isTest = given.has('-t')
  if (!unpacks) {
    if (!toOutput && /\.(?:gz|tgz|taz|Z|z)$/.test(name) && !given.has('-f'))
      throw new Failed(`${name} already has ${/\.[^.]*$/.exec(name)?.[0] ?? ''} suffix -- unchanged`, 2)
    const base = name.slice(name.lastIndexOf('/') + 1)
    const header = given.has('-n')
      ? { name: '', time: 0 }
      : { name: base, time: Math.floor((status?.mtimeMs ?? 0) / 1_000) }
    const output = await packed(input, levelOf(given), header)
    await (toOutput ? io.stdout.write(output) : replaced(io, given, name, `${name}.gz`, output))
    return
  }
  const target = targetOf(name)
  if (target === null && !toOutput && !isTest) throw new Failed(`${name}: unknown suffix -- ignored`, 2)
  if (input.length === 0) throw new Failed(`${name}: unexpected end of file`)
  const output = !isGzip(input) && given.has('-f') && toOutput ? input : unpacked(input, name)
  if (isTest) return
  if (toOutput) {
    await io.stdout.write(output)
    return
  }
  if (given.has('-N')) throw new Unsupported('gunzip -N', 'gunzip without it')
  await replaced(io, given, name, target ?? '', output)
}

/** Finds the input file. When unpacking, the argument `a` also means `a.gz`. */
async function existing(io: CommandIo, name: string, unpacks: boolean): Promise<string> {
  if (await io.files.stat(name)) return name
  if (unpacks && !name.endsWith('.gz') && (await io.files.stat(`${name}.gz`))) return `${name}.gz`
  throw new FileError('No such file or directory')
}

function targetOf(name: string): string | null {
  const [, base = '', suffix] = /^(.+?)(\.gz|\.tgz|\.taz|-gz|\.z|-z|_z|\.Z)$/.exec(name) ?? []
  if (suffix === undefined || base.endsWith('/')) return null
  return suffix === '.tgz' || suffix === '.taz' ? `${base}.tar` : base
}

async function replaced(
  io: CommandIo,
  given: Parsed,
  from: string,
  to: string,
  output: Uint8Array,
): Promise<void> {
  if (!given.has('-f') && (await io.files.stat(to)))
    throw new Failed(`${to} already exists;\tnot overwritten`, 2)
  await io.files.write(to, output)
  if (!given.has('-k')) await io.files.remove(from)
}
