// `sqlite3`: the command-line shell of SQLite 3.40, on SQLite compiled to WebAssembly.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { readAll } from '../io/reader.ts'
import { decode } from '../io/text.ts'
import { Database, SqlError } from './database.ts'
import type { OutputMode } from './printer.ts'
import { Shell } from './shell.ts'
import { Quit } from './words.ts'

const MODES: readonly string[] = 'box column csv html json line list markdown quote table tabs'.split(' ')
/** Options that only the real shell has. */
const REFUSED: ReadonlySet<string> = new Set(
  `A append ascii deserialize echo help init interactive lookaside maxsize memtrace mmap newline nofollow nonce pagecache
pcachetrace safe stats unsafe-testing vfs zip`.split(/\s+/),
)

interface Order {
  readonly options: readonly (readonly [name: string, value: string])[]
  readonly operands: readonly string[]
}

export const sqlite3: Command = {
  async run(io) {
    const order = readOptions(io.args)
    if (typeof order === 'string') {
      await io.stderr.write(order)
      return 1
    }
    const [path = ':memory:', ...commands] = order.operands
    const has = (name: string): boolean => order.options.some(([option]) => option === name)
    let database: Database
    try {
      database = await Database.open(io, path, has('readonly'))
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      await io.stderr.write(`Error: unable to open database "${path}": ${error.message}\n`)
      return 1
    }
    if (has('version')) {
      await io.stdout.write(`${database.version}\n`)
      return 0
    }
    const shell = new Shell(io, database)
    let exitCode = 0
    try {
      exitCode = await session(io, shell, order, commands)
    } catch (error) {
      if (!(error instanceof Quit)) throw error
      ;({ exitCode } = error)
    }
    await shell.end()
    return exitCode
  },
}

async function session(
  io: CommandIo,
  shell: Shell,
  { options }: Order,
  commands: readonly string[],
): Promise<number> {
  const early: string[] = []
  for (const [name, value] of options) {
    const { settings } = shell
    // The cast is safe: it is in the list.
    if (MODES.includes(name)) shell.setMode(name as OutputMode)
    if (name === 'separator') settings.column = value
    if (name === 'nullvalue') settings.nullValue = value
    if (name === 'header') settings.header = settings.headerSet = true
    if (name === 'noheader') [settings.header, settings.headerSet] = [false, true]
    if (name === 'bail') shell.bail = true
    if (name === 'cmd') early.push(value)
  }
  for (const [index, command] of [...early, ...commands].entries()) {
    const failed = await one(shell, command)
    if (failed !== 0 && (index >= early.length || shell.bail)) return failed
  }
  if (commands.length > 0) return 0
  return (await shell.lines(decode(await readAll(io.stdin)))) > 0 ? 1 : 0
}

async function one(shell: Shell, command: string): Promise<number> {
  if (command.startsWith('.')) return (await shell.dot(command)) ? 0 : 1
  return shell.sql(command, null)
}

/** Parses options and operands. Returns the message for an unknown option. Options may be anywhere. */
function readOptions(args: readonly string[]): Order | string {
  const options: (readonly [string, string])[] = []
  const operands: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg)
      continue
    }
    const name = arg.replace(/^--?/, '')
    if (['separator', 'nullvalue', 'cmd'].includes(name)) {
      if (args[index + 1] === undefined) return `sqlite3: Error: missing argument to ${arg}\n`
      options.push([name, args[(index += 1)] ?? ''])
    } else if (
      MODES.includes(name) ||
      ['header', 'noheader', 'bail', 'batch', 'readonly', 'version'].includes(name)
    )
      options.push([name, ''])
    else if (REFUSED.has(name) || name.startsWith('A'))
      throw new Unsupported(`sqlite3 ${arg}`, 'sqlite3 without it, or python3 with its module sqlite3')
    else return `sqlite3: Error: unknown option: ${arg}\nUse -help for a list of options.\n`
  }
  return { options, operands }
}
