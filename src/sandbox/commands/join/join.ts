// `join`: joins lines of two sorted files that have the same key.

import { Failed, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1 } from '../io/latin1.ts'
import { LineCursor } from '../io/line-cursor.ts'
import { joinOptions, type JoinOptions } from './options.ts'

interface Line {
  readonly fields: readonly string[]
  readonly key: string
  readonly text: string
}

export const join: Command = {
  async run(io) {
    return new Joining(io, joinOptions(io.args)).run()
  },
}

class Joining {
  readonly #io: CommandIo
  readonly #options: JoinOptions
  readonly #cursors: LineCursor[] = []
  readonly #previous: (Line | null)[] = [null, null]
  readonly #unordered = [false, false]
  readonly #numbers = [0, 0]
  #isUnpaired = false
  #output = ''
  /** With `-o auto`: the number of fields of each file. */
  #counts: readonly [number, number] = [0, 0]

  constructor(io: CommandIo, options: JoinOptions) {
    this.#io = io
    this.#options = options
  }

  async run(): Promise<number> {
    const { names, unpaired, paired, header, end } = this.#options
    for (const name of names)
      try {
        this.#cursors.push(
          new LineCursor(name === '-' ? this.#io.stdin : await this.#io.files.open(name), end),
        )
      } catch (error) {
        if (error instanceof FileError) throw new Failed(`${name}: ${error.message}`)
        throw error
      }
    let one = await this.#next(0)
    let other = await this.#next(1)
    this.#counts = [one?.fields.length ?? 0, other?.fields.length ?? 0]
    if (header) {
      if (one || other) this.#write(one, other)
      this.#previous.fill(null)
      if (one) one = await this.#next(0)
      if (other) other = await this.#next(1)
    }
    while (one && other) {
      if (one.key !== other.key) {
        if (one.key < other.key) {
          if (unpaired[0]) this.#write(one, null)
          one = await this.#next(0)
        } else {
          if (unpaired[1]) this.#write(null, other)
          other = await this.#next(1)
        }
        this.#isUnpaired = true
      } else {
        const { key } = one
        const ones: Line[] = []
        for (; one?.key === key; one = await this.#next(0)) ones.push(one)
        const others: Line[] = []
        for (; other?.key === key; other = await this.#next(1)) others.push(other)
        for (const left of paired ? ones : []) {
          others.forEach((right) => this.#write(left, right))
          await this.#drain()
        }
      }
      await this.#drain()
    }
    // Read the rest of the longer file to print unpaired lines and to check the order.
    for (; one; one = await this.#next(0)) {
      if (unpaired[0]) this.#write(one, null)
      await this.#drain()
    }
    for (; other; other = await this.#next(1)) {
      if (unpaired[1]) this.#write(null, other)
      await this.#drain()
    }
    await this.#drain(true)
    if (this.#unordered.includes(true)) throw new Failed('input is not in sorted order')
    return 0
  }

  async #next(file: 0 | 1): Promise<Line | null> {
    const next = this.#cursors[file]?.next() ?? null
    const text = next instanceof Promise ? await next : next
    if (text === null) return null
    const { separator, keys, ignoreCase, order } = this.#options
    const fields = fieldsOf(text, separator)
    const written = fields[keys[file]] ?? ''
    const line = { fields, text, key: ignoreCase ? upper(written) : written }
    this.#numbers[file] = (this.#numbers[file] ?? 0) + 1
    const previous = this.#previous[file]
    this.#previous[file] = line
    const isChecked = order === 'check' || (order === 'warn' && this.#isUnpaired)
    if (isChecked && previous && previous.key > line.key && this.#unordered[file] !== true) {
      this.#unordered[file] = true
      const name = this.#options.names[file]
      const message = `${name}:${this.#numbers[file] ?? 0}: is not sorted: ${text}`
      if (order === 'check') {
        await this.#drain(true)
        throw new Failed(message)
      }
      await this.#drain(true)
      await this.#io.stdout.flush()
      await this.#io.stderr.write(`join: ${message}\n`)
    }
    return line
  }

  #write(one: Line | null, other: Line | null): void {
    const { keys, format, filler, separator, end } = this.#options
    const shown = (text: string | undefined): string => (text === undefined || text === '' ? filler : text)
    const rest = (line: Line | null, key: number, count: number | null): string[] => {
      const wanted = count ?? line?.fields.length ?? 0
      return Array.from({ length: wanted }, (_, at) => at)
        .filter((at) => at !== key)
        .map((at) => shown(line?.fields[at]))
    }
    const key = one ? one.fields[keys[0]] : other?.fields[keys[1]]
    let fields: readonly string[]
    if (format === null)
      fields = [
        shown(key),
        ...(one ? rest(one, keys[0], null) : []),
        ...(other ? rest(other, keys[1], null) : []),
      ]
    else if (format === 'auto')
      fields = [shown(key), ...rest(one, keys[0], this.#counts[0]), ...rest(other, keys[1], this.#counts[1])]
    else
      fields = format.map(({ file, field }) =>
        shown(file === 0 ? key : (file === 1 ? one : other)?.fields[field]),
      )
    this.#output += fields.join(separator === null ? ' ' : separator || '\n') + end
  }

  async #drain(all = false): Promise<void> {
    if (!all && this.#output.length < 32_768) return
    const text = this.#output
    this.#output = ''
    await this.#io.stdout.write(bytesOfLatin1(text))
  }
}

function fieldsOf(text: string, separator: string | null): readonly string[] {
  if (separator === null) {
    const words = text.replace(/^[ \t\n]+/, '')
    // Trailing blanks are followed by an empty field.
    return words === '' ? [] : words.split(/[ \t\n]+/)
  }
  return separator === '' ? [text] : text.split(separator)
}

function upper(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
}
