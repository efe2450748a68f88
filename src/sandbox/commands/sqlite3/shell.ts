// A session of `sqlite3`: reads lines of SQL and dot commands, and prints results.

import { Unsupported, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { decode } from '../io/text.ts'
import type { ByteWriter } from '../io/writer.ts'
import { Database, SqlError } from './database.ts'
import { dotName, dotWords } from './dot.ts'
import { importOrder, importRows } from './import.ts'
import { printPlan, printStatement, type OutputMode, type PrintSettings } from './printer.ts'
import { contextOf, INSTEAD, isOn, Quit } from './words.ts'
import { printDump, printNames, printSchema } from './schema.ts'

const MODES: readonly string[] = 'box column csv html insert json line list markdown quote table tabs'.split(
  ' ',
)
const [CRLF, LIST_SEPARATOR] = ['\r\n', '|']

export class Shell {
  readonly #io: CommandIo
  readonly settings: PrintSettings = {
    mode: 'list',
    header: false,
    headerSet: false,
    column: LIST_SEPARATOR,
    row: '\n',
    nullValue: '',
    widths: [],
    table: '',
  }
  bail = false
  readOnly = false
  #changes = false
  /** Whether a command was run: without one, the database is not even created. */
  #used = false
  #database: Database
  #out: ByteWriter
  /** Whether output returns to standard output after the next result. */
  #once = false

  constructor(io: CommandIo, database: Database) {
    this.#io = io
    this.#database = database
    this.#out = io.stdout
  }

  /** Writes the changed files. */
  async end(): Promise<void> {
    await this.#toStandardOutput()
    if (this.#used) await this.#database.close()
  }

  /** Runs the lines of a text. Returns the number of errors. */
  async lines(text: string): Promise<number> {
    let pending = ''
    let startLine = 1
    let errors = 0
    const run = async (): Promise<boolean> => {
      const code = await this.sql(pending, `near line ${startLine}`)
      pending = ''
      if (code !== 0) errors += 1
      return code === 0 || !this.bail
    }
    const all = text.split('\n')
    if (all.at(-1) === '') all.pop()
    for (const [index, line] of all.entries()) {
      if (pending === '') {
        if (line.trim() === '') continue
        startLine = index + 1
        if (line.startsWith('.') || line.startsWith('#')) {
          if (line.startsWith('.') && !(await this.dot(line))) errors += 1
          if (errors > 0 && this.bail) return errors
          continue
        }
      }
      const added = /^\s*(?:go|\/)\s*$/i.test(line) && pending !== '' ? ';' : line
      pending += pending === '' ? added : `\n${added}`
      if (pending.includes(';') && this.#database.isComplete(pending) && !(await run())) return errors
    }
    if (pending.trim() !== '') await run()
    return errors
  }

  /** Runs statements. Returns 0, or SQLite's error code. `where` is null for SQL from the command line. */
  async sql(text: string, where: string | null): Promise<number> {
    let rest = text
    this.#used = true
    try {
      while (rest.trim() !== '') {
        const prepared = await this.#database.prepare(rest)
        const { statement } = prepared
        if (!statement) {
          ;({ rest } = prepared)
          continue
        }
        if (/^\s*explain\s+(?!query)/i.test(statement.sql)) {
          await this.#database.finalize(statement)
          throw new Unsupported(
            'sqlite3 with EXPLAIN',
            'EXPLAIN QUERY PLAN from python3 with its module sqlite3',
          )
        }
        try {
          if (/^\s*explain/i.test(statement.sql)) await printPlan(this.#database, statement, this.#out)
          else await printStatement(this.#database, statement, this.settings, this.#out)
        } finally {
          await this.#database.finalize(statement)
        }
        ;({ rest } = prepared)
      }
      if (this.#changes) {
        const [changes, total] = this.#database.changes
        await this.#out.write(`changes: ${changes}   total_changes: ${total}\n`)
      }
      return 0
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      await this.#report(error, rest, where)
      return error.code
    } finally {
      if (this.#once) await this.#toStandardOutput()
    }
  }

  async #report(error: SqlError, sql: string, where: string | null): Promise<void> {
    const code = error.code > 1 ? ` (${error.code})` : ''
    const kind = error.phase === 'step' ? 'Runtime' : 'Parse'
    const head =
      where === null
        ? `Error: in ${error.phase === 'step' ? 'step' : 'prepare'}, `
        : `${kind} error ${where}: `
    const context = error.offset >= 0 ? contextOf(sql, error.offset) : ''
    await this.#io.stderr.write(`${head.replace('in step', 'stepping')}${error.message}${code}\n${context}`)
  }

  /** Runs a dot command. Returns false if it failed. */
  async dot(line: string): Promise<boolean> {
    this.#used = true
    const words = dotWords(line.slice(1))
    const [word = '', ...args] = words
    const name = dotName(word)
    const [first, second] = args
    const out = this.#out
    try {
      switch (name) {
        case 'quit':
          throw new Quit(0)
        case 'exit':
          throw new Quit(Number(first ?? 0))
        case 'mode':
          return await this.#mode(args)
        case 'headers':
          this.settings.header = isOn(first)
          this.settings.headerSet = true
          return true
        case 'separator':
          if (first !== undefined) this.settings.column = first
          if (second !== undefined) this.settings.row = second
          return first === undefined ? this.#failed('Usage: .separator COL ?ROW?') : true
        case 'nullvalue':
          this.settings.nullValue = first ?? ''
          return true
        case 'width':
          this.settings.widths = args.map((width) => Number(width))
          return true
        case 'tables':
          await printNames(this.#database, out, ['table', 'view'], first)
          break
        case 'indexes':
        case 'indices':
          await printNames(this.#database, out, ['index'], first)
          break
        case 'schema':
          if (first?.startsWith('-') === true)
            throw new Unsupported(`.schema ${first}`, '.schema without options')
          await printSchema(this.#database, out, first)
          break
        case 'dump':
          if (args.some((arg) => arg.startsWith('-')))
            throw new Unsupported(`.dump ${args[0] ?? ''}`, '.dump without options')
          await printDump(this.#database, out, args)
          break
        case 'databases':
          throw new Unsupported('.databases', 'PRAGMA database_list')
        case 'import':
          return await this.#import(args)
        case 'read':
          if (first === undefined) return await this.#failed('Usage: .read FILE')
          if (first.startsWith('|')) throw new Unsupported('.read |COMMAND', 'COMMAND | sqlite3 FILE')
          return (await this.lines(decode(await this.#io.files.read(first)))) === 0
        case 'output':
        case 'once':
          await this.#output(name, args)
          return true
        case 'print':
          await out.write(`${args.join(' ')}\n`)
          break
        case 'bail':
          this.bail = isOn(first)
          return true
        case 'changes':
          this.#changes = isOn(first)
          return true
        case 'timeout':
        case 'binary':
          return true
        case 'open':
          if (first === undefined || first.startsWith('-'))
            throw new Unsupported(`.open ${first ?? 'without a file'}`, '.open FILE')
          await this.#database.close()
          this.#database = await Database.open(this.#io, first, false)
          return true
        case 'version':
          await out.write(`SQLite ${this.#database.version}\n`)
          break
        case null:
          return await this.#failed(
            `Error: unknown command or invalid arguments:  "${word}". Enter ".help" for help`,
          )
        default:
          throw new Unsupported(`sqlite3 .${name}`, INSTEAD[name] ?? 'python3 with its module sqlite3')
      }
    } catch (error) {
      if (error instanceof SqlError) return this.#failed(`Error: ${error.message}`)
      if (error instanceof FileError) return this.#failed(`Error: cannot open "${first ?? ''}"`)
      throw error
    }
    if (this.#once) await this.#toStandardOutput()
    return true
  }

  async #failed(message: string): Promise<false> {
    await this.#io.stderr.write(`${message}\n`)
    return false
  }

  async #mode(args: readonly string[]): Promise<boolean> {
    const [mode, table = 'table'] = args
    const option = args.find((arg) => arg.startsWith('-'))
    if (option !== undefined) throw new Unsupported(`.mode ${option}`, '.mode without options')
    const found = MODES.find((name) => mode !== undefined && mode.length > 1 && name.startsWith(mode))
    if (mode === undefined || ['ascii', 'qbox', 'tcl'].some((name) => name.startsWith(mode)))
      throw new Unsupported(`.mode ${mode ?? 'without a name'}`, `one of ${MODES.join(', ')}`)
    if (found === undefined)
      return this.#failed(
        'Error: mode should be one of: ascii box column csv html insert json line list markdown qbox quote table tabs tcl',
      )
    // The cast is safe: it is in the list.
    this.setMode(found as OutputMode)
    const { settings } = this
    if (found === 'csv') settings.row = CRLF
    if (found === 'tabs' || found === 'list' || found === 'quote') settings.row = '\n'
    if (found === 'list') settings.column = LIST_SEPARATOR
    if (found === 'insert')
      settings.table = /^[A-Za-z_]\w*$/.test(table) && table !== 'table' ? table : `"${table}"`
    if (found === 'column' && !settings.headerSet) settings.header = true
    return true
  }

  /** Sets the mode as a command-line option does. */
  setMode(mode: OutputMode): void {
    const { settings } = this
    settings.mode = mode
    if (mode === 'csv' || mode === 'quote') settings.column = ','
    if (mode === 'tabs') settings.column = '\t'
  }

  async #import(args: readonly string[]): Promise<boolean> {
    const order = importOrder(args, this.settings)
    if (!order) return this.#failed('ERROR: missing FILE or TABLE argument. Usage: .import FILE TABLE')
    const { file, table, format } = order
    // As in the real shell, this also affects later output.
    if (format.csv && this.settings.row === CRLF) this.settings.row = '\n'
    const text = decode(
      file === '/dev/stdin' || file === '-' ? await readAll(this.#io.stdin) : await this.#io.files.read(file),
    )
    const messages = await importRows(this.#database, file, text, table, format)
    for (const message of messages) await this.#io.stderr.write(`${message}\n`)
    return true
  }

  async #output(name: 'output' | 'once', args: readonly string[]): Promise<void> {
    const [file] = args
    await this.#toStandardOutput()
    if (file === undefined || file === 'stdout' || file === 'off') return
    if (file.startsWith('-') || file.startsWith('|') || args.length > 1)
      throw new Unsupported(`.${name} ${args.join(' ')}`, `.${name} FILE`)
    this.#out = await this.#io.files.create(file)
    this.#once = name === 'once'
  }

  async #toStandardOutput(): Promise<void> {
    this.#once = false
    if (this.#out === this.#io.stdout) return
    await this.#out.flush()
    this.#out = this.#io.stdout
  }
}
