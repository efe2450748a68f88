// The state of a running program: variables, the record, regular expressions, and what special variables mean.

import { Failed, type CommandIo } from '../command.ts'
import { Regex } from './regex.ts'
import { AwkRecord } from './record.ts'
import type { Separator } from './record-reader.ts'
import { splitBlanks, splitByContent, splitByRegex, widthSplitter, type Splitter } from './splitting.ts'
import { Streams } from './streams.ts'
import { AwkArray, isTrue, numberOf, scalar, textOf, TypedRegex, type Cell, type Value } from './values.ts'

/** A local variable of a function. `from` is the caller's variable, which becomes an array if the local one does. */
export interface Local extends Cell {
  from: Cell | null
}

const MAX_REGEXES = 2000
const NEWLINE: Separator = { kind: 'text', text: '\n' }

export class Machine {
  readonly io: CommandIo
  readonly streams: Streams
  readonly record: AwkRecord
  readonly cells = new Map<string, Cell>()
  readonly #regexes = new Map<string, Regex>()
  frame: Local[] = []
  depth = 0
  convert = '%.6g'
  outputFormat = '%.6g'
  outputSeparator = ' '
  outputEnd = '\n'
  subscriptSeparator = '\u001c'
  ignoreCase = false
  separator: Separator = NEWLINE
  records = 0
  fileRecords = 0
  #splitter: Splitter = splitBlanks
  #splitsBy: 'FS' | 'FPAT' | 'FIELDWIDTHS' = 'FS'
  /** Set by the main loop: reads the next record of the main input for `getline`. */
  nextRecord: () => Promise<string | null> = async () => null
  random = { seed: 0, state: 0 }
  /** Steps executed since the last pause. */
  steps = 0

  constructor(io: CommandIo) {
    this.io = io
    this.streams = new Streams(io)
    this.record = new AwkRecord({
      splitter: () => this.#splitter,
      outputSeparator: () => this.outputSeparator,
      convert: () => this.convert,
    })
    this.#define(
      'NF',
      () => this.record.count,
      (value) => (this.record.count = numberOf(value)),
    )
    this.#define(
      'NR',
      () => this.records,
      (value) => (this.records = numberOf(value)),
    )
    this.#define(
      'FNR',
      () => this.fileRecords,
      (value) => (this.fileRecords = numberOf(value)),
    )
    this.#watch('CONVFMT', '%.6g', (value) => (this.convert = this.text(value)))
    this.#watch('OFMT', '%.6g', (value) => (this.outputFormat = this.text(value)))
    this.#watch('OFS', ' ', (value) => (this.outputSeparator = this.text(value)))
    this.#watch('ORS', '\n', (value) => (this.outputEnd = this.text(value)))
    this.#watch('SUBSEP', '\u001c', (value) => (this.subscriptSeparator = this.text(value)))
    this.#watch('RS', '\n', (value) => (this.separator = this.#separatorOf(this.text(value))))
    this.#watch('FS', ' ', (value) => this.#splitBy('FS', this.fieldSplitter(this.text(value))))
    this.#watch('FPAT', '[^[:space:]]+', (value) => {
      const regex = this.regex(this.text(value))
      this.#splitBy('FPAT', (text) => splitByContent(text, regex).parts)
    })
    this.#watch('FIELDWIDTHS', '', (value) => this.#splitBy('FIELDWIDTHS', widthSplitter(this.text(value))))
    this.#watch('IGNORECASE', 0, (value) => {
      this.ignoreCase = isTrue(value)
      if (this.#splitsBy === 'FS') this.cell('FS').value = this.cell('FS').value
      this.cell('RS').value = this.cell('RS').value
    })
    for (const [name, value] of [
      ['RSTART', 0],
      ['RLENGTH', -1],
      ['RT', ''],
      ['FILENAME', ''],
      ['ERRNO', ''],
      ['ARGIND', 0],
      ['BINMODE', 0],
      ['LINT', 0],
      ['TEXTDOMAIN', 'messages'],
    ] as const)
      this.cell(name).value = value
  }

  #splitBy(name: 'FS' | 'FPAT' | 'FIELDWIDTHS', splitter: Splitter): void {
    this.#splitter = splitter
    this.#splitsBy = name
    this.array('PROCINFO').map.set('FS', name)
  }

  #define(name: string, read: () => Value, write: (value: Value) => void): void {
    this.cells.set(name, {
      get value(): Value {
        return read()
      },
      set value(value: Value | AwkArray) {
        write(scalar(value, name))
      },
    })
  }

  #watch(name: string, first: Value, changed: (value: Value) => void): void {
    let current = first
    this.#define(
      name,
      () => current,
      (value) => {
        current = value
        changed(value)
      },
    )
  }

  cell(name: string): Cell {
    const known = this.cells.get(name)
    if (known) return known
    const made: Cell = { value: undefined }
    this.cells.set(name, made)
    return made
  }

  array(name: string): AwkArray {
    return arrayIn(this.cell(name), name)
  }

  text(value: Value): string {
    return typeof value === 'string' ? value : textOf(value, this.convert)
  }

  /** Converts a value to a subscript. */
  key(value: Value): string {
    return typeof value === 'string' ? value : textOf(value, this.convert)
  }

  regex(source: string): Regex {
    const key = this.ignoreCase ? `i${source}` : `c${source}`
    const known = this.#regexes.get(key)
    if (known) return known
    if (this.#regexes.size >= MAX_REGEXES) this.#regexes.clear()
    const made = new Regex(source, this.ignoreCase)
    this.#regexes.set(key, made)
    return made
  }

  regexOf(value: Value): Regex {
    return this.regex(value instanceof TypedRegex ? value.source : this.text(value))
  }

  #separatorOf(text: string): Separator {
    if (text === '\n') return NEWLINE
    if (text === '') return { kind: 'paragraph' }
    return text.length === 1 ? { kind: 'text', text } : { kind: 'regex', regex: this.regex(text) }
  }

  /** How FS splits fields; in paragraph mode, newlines separate fields, too. */
  fieldSplitter(separator: string): Splitter {
    if (separator === ' ') return splitBlanks
    const lines = (parts: readonly string[]): readonly string[] =>
      this.separator.kind === 'paragraph' ? parts.flatMap((part) => part.split('\n')) : parts
    if (separator === '') return (text) => lines(Array.from(text))
    if (separator.length === 1 && separator !== '\\' && !this.ignoreCase)
      return (text) => (text === '' ? [] : lines(text.split(separator)))
    const regex = this.regex(
      separator === '\\' ? '\\\\' : separator.length === 1 ? literal(separator) : separator,
    )
    return (text) => lines(splitByRegex(text, regex).parts)
  }

  async pause(): Promise<void> {
    const { behind } = this.streams
    this.streams.behind = undefined
    this.steps = 0
    // The build makes loops of asynchronous functions yield to other work, so this needs a loop.
    for (let turn = 0; turn < 2; turn++) await behind
  }

  /** Counts one step of a loop or call. Returns true if the program should pause. */
  due(): boolean {
    return ++this.steps > 5000 || this.streams.behind !== undefined
  }
}

export function literal(text: string): string {
  return text.replaceAll(/[\\^$.[\]|()*+?{}]/g, '\\$&')
}

/** The array in a variable. A variable without a value becomes an array. */
export function arrayIn(cell: Cell & { from?: Cell | null }, name: string): AwkArray {
  const { value } = cell
  if (value instanceof AwkArray) return value
  if (value !== undefined) throw new Failed(`fatal: attempt to use scalar \`${name}' as an array`, 2)
  const made = cell.from ? arrayIn(cell.from, name) : new AwkArray()
  cell.value = made
  return made
}
