// Runs a program: BEGIN, the rules for each record of each input, END.

import { Failed } from '../command.ts'
import { FileError } from '../io/files.ts'
import { decoderFor } from '../io/locale.ts'
import { assign } from './assign.ts'
import { ExpressionCompiler } from './compile-expressions.ts'
import { Left, type Compiled, type Signal } from './compiler.ts'
import { StatementCompiler, type Run } from './compile-statements.ts'
import { after, type Code } from './code.ts'
import type { Machine } from './machine.ts'
import { RecordReader, type ReadRecord } from './record-reader.ts'
import { Scope } from './scope.ts'
import type { Program, Rule, Statement } from './tree.ts'
import { AwkArray, Input, isTrue, numberOf, type Value } from './values.ts'

export class Execution {
  readonly #machine: Machine
  readonly #begin: Run
  readonly #end: Run
  readonly #beginFile: Run
  readonly #endFile: Run
  readonly #rules: readonly Run[]
  readonly #reads: boolean
  readonly #hasEnd: boolean
  readonly #handlesMissing: boolean
  readonly #exit = { code: 0 }
  #reader: RecordReader | null = null
  #argument = 0
  #anyFile = false
  #inputEnded = false
  readonly #replaces: boolean
  /** The path of the file that is being replaced (`-i inplace`), or null. */
  #replaced: string | null = null

  constructor(machine: Machine, program: Program, replaces = false) {
    this.#machine = machine
    this.#replaces = replaces
    const returned: { value: Value } = { value: undefined }
    const functions = new Map<string, Compiled>()
    for (const [name, tree] of program.functions) functions.set(name, { tree, body: () => undefined })
    const compilers = (
      parameters: readonly string[],
    ): { expressions: ExpressionCompiler; statements: StatementCompiler } => {
      const expressions = new ExpressionCompiler(machine, new Scope(machine, parameters), functions, returned)
      return { expressions, statements: new StatementCompiler(expressions, this.#exit) }
    }
    for (const made of functions.values())
      made.body = compilers(made.tree.parameters).statements.compile(made.tree.body)
    const { expressions, statements } = compilers([])
    const list = (trees: readonly Statement[]): Run =>
      statements.compile({ kind: 'block', statements: trees })
    this.#begin = list(program.begin)
    this.#end = list(program.end)
    this.#beginFile = list(program.beginFile)
    this.#endFile = list(program.endFile)
    this.#handlesMissing = program.beginFile.length > 0
    this.#hasEnd = program.end.length > 0
    this.#reads =
      replaces ||
      program.rules.length + program.end.length + program.beginFile.length + program.endFile.length > 0
    this.#rules = program.rules.map((rule) => compiledRule(rule, expressions, statements))
    machine.nextRecord = async () => {
      const record = await this.#nextRecord()
      return record ? this.#counted(record) : null
    }
  }

  async run(): Promise<number> {
    const machine = this.#machine
    const begun = await outcome(this.#begin)
    if (begun !== 'exit' && this.#reads && (await outcome(() => this.#main())) === 'exit')
      this.#inputEnded = true
    await this.#replace()
    if (this.#hasEnd && (begun !== 'exit' || this.#reads)) await outcome(this.#end)
    await machine.streams.end()
    return this.#exit.code
  }

  #counted(record: ReadRecord): string {
    const machine = this.#machine
    machine.records++
    machine.fileRecords++
    machine.cell('RT').value = record.ended
    return record.text
  }

  async #main(): Promise<Signal> {
    const machine = this.#machine
    for (;;) {
      const record = this.#reader?.ready(machine.separator) ?? (await this.#nextRecord())
      if (!record) return undefined
      machine.record.read(this.#counted(record))
      for (const rule of this.#rules) {
        let signal: Signal
        try {
          const result = rule()
          signal = result instanceof Promise ? await result : result
        } catch (error) {
          if (!(error instanceof Left)) throw error
          machine.frame = []
          machine.depth = 0
          ;({ signal } = error)
        }
        if (signal === 'exit') return signal
        if (signal === 'nextfile') await this.#endOfFile()
        if (signal !== undefined) break
      }
      if (machine.streams.behind) await machine.pause()
    }
  }

  /** Reads the next record, from this input or the following ones. */
  async #nextRecord(): Promise<ReadRecord | null> {
    for (;;) {
      if (!this.#reader && !(await this.#nextFile())) return null
      const record = await this.#reader?.next(this.#machine.separator)
      if (record) return record
      await this.#endOfFile()
    }
  }

  async #endOfFile(): Promise<void> {
    if (!this.#reader) return
    this.#reader.close()
    this.#reader = null
    const signal = await outcome(this.#endFile)
    await this.#replace()
    if (signal === 'exit') throw new Left('exit')
  }

  /** With `-i inplace`: replaces the file with everything printed since it was opened. */
  async #replace(): Promise<void> {
    if (this.#replaced === null) return
    const name = this.#replaced
    this.#replaced = null
    const { files } = this.#machine.io
    // A link is replaced by a file, and its target does not change.
    if ((await files.lstat(name))?.kind === 'link') await files.remove(name)
    await files.write(name, this.#machine.streams.collected())
  }

  async #nextFile(): Promise<boolean> {
    const machine = this.#machine
    if (this.#inputEnded) return false
    while (++this.#argument < numberOf(plain(machine.cell('ARGC').value))) {
      const given = machine.array('ARGV').map.get(String(this.#argument))
      const name = machine.text(plain(given))
      if (name === '' || assign(machine, name, 'operand')) continue
      machine.cell('ARGIND').value = this.#argument
      this.#anyFile = true
      if (await this.#open(name)) return true
    }
    if (this.#anyFile) {
      this.#inputEnded = true
      return false
    }
    this.#anyFile = true
    return this.#open('-')
  }

  async #open(name: string): Promise<boolean> {
    const machine = this.#machine
    const { io } = machine
    let problem = ''
    try {
      const status = name === '-' ? null : await io.files.stat(name)
      if (status?.kind === 'directory') {
        await io.stderr.write(`awk: warning: command line argument \`${name}' is a directory: skipped\n`)
        return false
      }
      this.#reader = new RecordReader(name === '-' ? io.stdin : await io.files.open(name), decoderFor(io.env))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      problem = error.message
    }
    if (problem !== '' && !this.#handlesMissing)
      throw new Failed(`fatal: cannot open file \`${name}' for reading: ${problem}`, 2)
    machine.cell('FILENAME').value = new Input(name)
    machine.cell('ERRNO').value = problem
    machine.fileRecords = 0
    if (this.#replaces && problem === '' && name !== '-' && !name.startsWith('/dev/')) {
      await machine.streams.collect()
      this.#replaced = name
    }
    const signal = await outcome(this.#beginFile)
    if (signal === 'exit') throw new Left('exit')
    if (problem !== '' && signal !== 'nextfile')
      throw new Failed(`fatal: cannot open file \`${name}' for reading: ${problem}`, 2)
    if (problem === '' && signal === 'nextfile') await this.#endOfFile()
    return this.#reader !== null
  }
}

/** The signal that ended `run`. Inside a function, `exit` and similar statements throw it. */
async function outcome(run: Run): Promise<Signal> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Left) return error.signal
    throw error
  }
}

function plain(value: Value | AwkArray): Value {
  return value instanceof AwkArray ? undefined : value
}

function compiledRule(rule: Rule, expressions: ExpressionCompiler, statements: StatementCompiler): Run {
  const action = statements.compile(rule.action ?? { kind: 'print', args: [], redirection: null })
  if (!rule.pattern) return action
  const [first, last] = rule.pattern.map(expressions.compile)
  if (!first) return action
  if (!last) {
    const { run } = first
    return () => after(run(), (value) => (isTrue(value) ? action() : undefined))
  }
  return rangeRule(first, last, action)
}

function rangeRule(first: Code<Value>, last: Code<Value>, action: Run): Run {
  let inside = false
  return async () => {
    if (!inside && !isTrue(await first.run())) return undefined
    inside = !isTrue(await last.run())
    return action()
  }
}
