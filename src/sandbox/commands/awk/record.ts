// The current record: `$0`, its fields and NF. `$0` is split into fields, or joined from them, only when needed.

import { Failed, Unsupported } from '../command.ts'
import { Input, textOf, type Value } from './values.ts'
import type { Splitter } from './splitting.ts'

/** The value of a field beyond the last one; it is compared as text. */
const MISSING = new Input('')
const MAX_FIELDS = 1_000_000

export interface RecordFormats {
  readonly splitter: () => Splitter
  readonly outputSeparator: () => string
  readonly convert: () => string
}

export class AwkRecord {
  readonly #formats: RecordFormats
  #text = ''
  #whole: Value
  /** The fields without `$0`; null until the record is split. */
  #fields: (Value | null)[] | null = []
  #parts: readonly string[] = []
  #splitter: Splitter
  /** Whether a field has changed, so that `$0` must be joined again. */
  #changed = false

  constructor(formats: RecordFormats) {
    this.#formats = formats
    this.#splitter = formats.splitter()
  }

  read(text: string): void {
    this.#text = text
    this.#whole = undefined
    this.#fields = null
    this.#changed = false
    this.#splitter = this.#formats.splitter()
  }

  get text(): string {
    if (this.#changed) this.#join()
    return this.#text
  }

  #join(): void {
    const convert = this.#formats.convert()
    const fields = this.#split()
    this.#text = fields
      .map((_, index) => textOf(this.get(index + 1), convert))
      .join(this.#formats.outputSeparator())
    this.#whole = undefined
    this.#changed = false
  }

  #split(): (Value | null)[] {
    if (this.#fields) return this.#fields
    this.#parts = this.#splitter(this.#text)
    this.#fields = Array.from({ length: this.#parts.length }, () => null)
    return this.#fields
  }

  get(index: number): Value {
    if (index === 0) {
      if (this.#changed) this.#join()
      this.#whole ??= new Input(this.#text)
      return this.#whole
    }
    const fields = this.#split()
    const at = checked(index) - 1
    if (at >= fields.length) return MISSING
    const value = fields[at]
    if (value !== null) return value
    const made = new Input(this.#parts[at] ?? '')
    fields[at] = made
    return made
  }

  set(index: number, value: Value): void {
    if (index === 0) {
      this.read(textOf(value, this.#formats.convert()))
      return
    }
    const fields = this.#split()
    const at = checked(index) - 1
    while (fields.length < at) fields.push('')
    fields[at] = value
    this.#changed = true
  }

  get count(): number {
    return this.#split().length
  }

  set count(count: number) {
    const fields = this.#split()
    const wanted = Math.trunc(count)
    if (wanted < 0) throw new Failed('fatal: NF set to negative value', 2)
    checked(wanted)
    fields.length = Math.min(fields.length, wanted)
    while (fields.length < wanted) fields.push('')
    this.#changed = true
  }
}

function checked(index: number): number {
  if (index < 0) throw new Failed(`fatal: attempt to access field ${index}`, 2)
  if (index > MAX_FIELDS) throw new Unsupported(`awk with more than ${MAX_FIELDS} fields`, 'python3')
  return index
}
