// Reads the lines of all files as one stream, one line ahead, so that the last line is known.

import { Failed, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { decoderFor } from '../io/locale.ts'
import { readLines, type LineBatch } from '../io/reader.ts'

export interface Line {
  readonly text: string
  /** Whether the line ends with a separator. */
  readonly ended: boolean
}

export class LineStream {
  readonly #io: CommandIo
  readonly #names: readonly string[]
  readonly #separator: number
  #next = 0
  #batches: AsyncIterator<LineBatch> | null = null
  #close: () => void = () => {}
  #lines: readonly string[] = []
  #unterminated = false
  #at = 0
  #openName = '-'
  #batchName = '-'
  /** The file that contains the current line. */
  name = '-'
  /** Whether a file could not be read. */
  failed = false

  constructor(io: CommandIo, names: readonly string[], separator: number) {
    this.#io = io
    this.#names = names
    this.#separator = separator
  }

  /** Whether more lines are available without waiting. */
  ready(): boolean {
    return this.#at < this.#lines.length
  }

  /** Takes the next line. Call this only if `ready` returns true. */
  take(): Line {
    const text = this.#lines[this.#at++] ?? ''
    this.name = this.#batchName
    return { text, ended: !this.#unterminated || this.#at < this.#lines.length }
  }

  /** Reads more lines. Resolves to false at the end of the last file. */
  async fill(): Promise<boolean> {
    while (this.#at >= this.#lines.length) {
      if (!this.#batches && !(await this.#open())) return false
      const { value, done } = (await this.#batches?.next()) ?? { value: undefined, done: true }
      if (done || value === undefined) {
        this.#close()
        this.#batches = null
      } else {
        this.#lines = value.lines
        this.#unterminated = value.unterminated
        this.#at = 0
        this.#batchName = this.#openName
      }
    }
    return true
  }

  /** Closes the open file. */
  end(): void {
    this.#close()
    this.#batches = null
  }

  async #open(): Promise<boolean> {
    for (; this.#next < this.#names.length; this.#next++) {
      const name = this.#names[this.#next] ?? ''
      try {
        const reader = name === '-' ? this.#io.stdin : await this.#io.files.open(name)
        this.#batches = readLines(reader, this.#separator, decoderFor(this.#io.env))[Symbol.asyncIterator]()
        this.#close = () => {
          if (reader !== this.#io.stdin) reader.close()
        }
        this.#next++
        this.#openName = name
        return true
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        if (error.message === 'Is a directory') throw new Failed(`read error on ${name}: ${error.message}`, 4)
        await this.#io.stderr.write(`sed: can't read ${name}: ${error.message}\n`)
        this.failed = true
      }
    }
    return false
  }
}
