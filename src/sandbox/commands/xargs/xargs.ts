// `xargs`: runs a command with arguments from its input. Commands run one after another, even with -P.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { encode, decode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { delimited, delimiterOf, words, type Item, type Items } from './items.ts'

const OPTIONS = [
  { flags: '-0 --null' },
  { flags: '-a --arg-file', value: 'required' },
  { flags: '-d --delimiter', value: 'required' },
  { flags: '-E', value: 'required' },
  { flags: '-e --eof', value: 'optional' },
  { flags: '-I', value: 'required' },
  { flags: '-i --replace', value: 'optional' },
  { flags: '-L', value: 'required' },
  { flags: '-l --max-lines', value: 'optional' },
  { flags: '-n --max-args', value: 'required' },
  { flags: '-P --max-procs', value: 'required' },
  { flags: '-r --no-run-if-empty' },
  { flags: '-s --max-chars', value: 'required' },
  { flags: '-t --verbose' },
  { flags: '-x --exit' },
  { flags: '-o --open-tty', refused: 'xargs without it; there is no terminal' },
  { flags: '-p --interactive', refused: 'xargs without it; there is no terminal' },
  { flags: '--show-limits', refused: 'xargs without it' },
  { flags: '--process-slot-var', value: 'required', refused: 'xargs without it' },
] as const

/** Maximum size of a command with its arguments in bytes. Each argument takes one additional byte. */
const COMMAND_BYTES = 131_072
const [NOT_RUN, NOT_FOUND] = [126, 127]
/** Commands that may return 126 and 127 themselves. */
const SHELLS = /^(?:.*\/)?(?:ba|da)?sh$/
const [SOME_FAILED, ABORTED] = [123, 124]

interface Plan {
  readonly command: readonly string[]
  /** The text to replace with an item. */
  readonly replace: string | null
  readonly lines: number
  readonly args: number
  readonly bytes: number
  readonly exact: boolean
}

export const xargs: Command = {
  starts: true,
  async run(io) {
    const parsed = parseOptions('xargs', io.args, OPTIONS, { operandsLast: true })
    const plan = planOf(parsed)
    const { items, error } = itemsOf(parsed, plan, await inputOf(io, parsed))
    const runs = new Runs(io, parsed.has('-t'))
    if (plan.replace !== null) await replaced(plan, plan.replace, items, runs)
    else if (items.length > 0) await batched(plan, items, runs)
    else if (error === null && !parsed.has('-r')) await runs.run(plan.command)
    if (error !== null && !runs.over) throw new Failed(error)
    return runs.exitCode
  },
}

function planOf(parsed: Parsed): Plan {
  const last = parsed.options.findLast(({ flag }, index, all) => {
    if (!['-I', '-i', '-L', '-l', '-n'].includes(flag)) return false
    // -I implies one argument for each command.
    return !(
      flag === '-n' &&
      all[index]?.value === '1' &&
      all.slice(0, index).some((one) => /^-[Ii]$/.test(one.flag))
    )
  })
  const count = (flag: string, value: string): number => {
    if (!/^\d+$/.test(value)) throw new Failed(`invalid number "${value}" for ${flag} option`)
    if (Number(value) < 1) throw new Failed(`value ${value} for ${flag} option should be >= 1`)
    return Number(value)
  }
  for (const value of parsed.values('-P'))
    if (!/^\d+$/.test(value)) throw new Failed(`invalid number "${value}" for -P option`)
  const kind = last?.flag ?? ''
  const size = parsed.value('-s')
  return {
    command: parsed.operands.length === 0 ? ['echo'] : parsed.operands,
    replace: kind === '-I' ? (last?.value ?? '') : kind === '-i' ? last?.value || '{}' : null,
    lines:
      kind === '-L' ? count('-L', last?.value ?? '') : kind === '-l' ? count('-l', last?.value || '1') : 0,
    args: kind === '-n' ? count('-n', last?.value ?? '') : 0,
    bytes: size === undefined ? COMMAND_BYTES : count('-s', size),
    exact: parsed.has('-x') || kind === '-I' || kind === '-i' || kind === '-l',
  }
}

async function inputOf(io: CommandIo, parsed: Parsed): Promise<string> {
  const file = parsed.value('-a')
  try {
    return decode(await readAll(file === undefined || file === '-' ? io.stdin : await io.files.open(file)))
  } catch (error) {
    throw error instanceof Error && error.name === 'FileError'
      ? new Failed(`Cannot open input file ‘${file ?? ''}’: ${error.message}`)
      : error
  }
}

function itemsOf(parsed: Parsed, plan: Plan, input: string): Items {
  const separator = parsed.last('-0', '-d')
  if (separator !== undefined)
    return delimited(input, separator === '-0' ? '\0' : delimiterOf(parsed.value('-d') ?? ''))
  if (input.includes('\0')) throw new Unsupported('xargs with NUL in its input', 'xargs -0')
  const end = parsed.options.findLast(({ flag, value }) => flag === '-E' || (flag === '-e' && value !== ''))
  return words(input, plan.replace !== null, end?.value ?? null)
}

/** Runs one command per item, replacing the text of -I. */
async function replaced(plan: Plan, replace: string, items: readonly Item[], runs: Runs): Promise<void> {
  if (replace === '') throw new Unsupported("xargs -I ''", 'xargs -I {}')
  for (const { text } of items) {
    if (runs.over) return
    const [name = '', ...rest] = plan.command.map((word) => word.replaceAll(replace, () => text))
    await runs.run([name, ...rest])
  }
}

/** Runs commands with as many items as fit. */
async function batched(plan: Plan, items: readonly Item[], runs: Runs): Promise<void> {
  const own = plan.command.reduce((sum, word) => sum + encode(word).length + 1, 0)
  if (own > plan.bytes) throw new Failed('cannot fit single argument within argument list size limit')
  let batch: string[] = []
  let bytes = own
  let lines = 0
  const run = async (): Promise<void> => {
    if (batch.length > 0) await runs.run([...plan.command, ...batch])
    batch = []
    bytes = own
    lines = 0
  }
  for (const { text, endsLine } of items) {
    if (runs.over) return
    const size = encode(text).length + 1
    if (own + size > plan.bytes) {
      await run()
      throw new Failed('argument line too long')
    }
    if (bytes + size > plan.bytes) {
      if (plan.exact && (plan.lines > 0 || plan.args > 0)) throw new Failed('argument list too long')
      await run()
    }
    batch.push(text)
    bytes += size
    if (endsLine) lines++
    if (batch.length === plan.args || (plan.lines > 0 && lines === plan.lines)) await run()
  }
  if (!runs.over) await run()
}

/** Runs commands, and combines their exit codes. */
class Runs {
  readonly #io: CommandIo
  readonly #shows: boolean
  exitCode = 0
  /** Set when a command's result prevents further commands. */
  over = false

  constructor(io: CommandIo, shows: boolean) {
    this.#io = io
    this.#shows = shows
  }

  async run(argv: readonly string[]): Promise<void> {
    if (this.#shows) await this.#io.stderr.write(`${argv.map(shown).join(' ')}\n`)
    const code = await this.#io.exec(argv)
    const name = argv[0] ?? ''
    if ((code === NOT_FOUND || code === NOT_RUN) && !SHELLS.test(name)) {
      this.exitCode = code
      this.over = true
    } else if (code === 255) {
      await this.#io.stderr.write(`xargs: ${name}: exited with status 255; aborting\n`)
      this.exitCode = ABORTED
      this.over = true
    } else if (code !== 0) this.exitCode = SOME_FAILED
  }
}

function shown(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
