// Files and commands that a program writes to and reads from, until it closes them or ends.

import { concat } from '../io/bytes.ts'
import { decoderFor } from '../io/locale.ts'
import { bytesReader } from '../io/reader.ts'
import { encode } from '../io/text.ts'
import { FileError } from '../io/files.ts'
import { Failed, type CommandIo } from '../command.ts'
import type { ByteWriter } from '../io/writer.ts'
import { RecordReader } from './record-reader.ts'

interface Output {
  readonly command: boolean
  readonly writer: ByteWriter | null
  readonly chunks: Uint8Array[]
}

interface Source {
  readonly reader: RecordReader
  /** The exit code if the source is a command. */
  readonly exitCode: number
}

export class Streams {
  readonly #io: CommandIo
  readonly #outputs = new Map<string, Output>()
  readonly #sources = new Map<string, Source>()
  /** Standard output held back since a command was started: it is flushed after the command's own output. */
  #held = ''
  #holds = false
  /** Collected output while it does not go to standard output; otherwise null. */
  #collected: Uint8Array[] | null = null
  /** Pending while the reader of the output has to catch up. */
  behind: Promise<void> | undefined = undefined

  constructor(io: CommandIo) {
    this.#io = io
  }

  print(text: string): void {
    if (this.#collected) {
      this.#collected.push(encode(text))
      return
    }
    if (this.#holds) {
      this.#held += text
      return
    }
    const behind = this.#io.stdout.write(text)
    if (behind) this.behind = this.behind ? this.behind.then(async () => behind) : behind
  }

  /** Starts to collect printed output. */
  async collect(): Promise<void> {
    await this.flush()
    this.#collected = []
  }

  /** Returns the output since `collect`, and writes to standard output again. */
  collected(): Uint8Array {
    const bytes = concat([...(this.#collected ?? []), new Uint8Array()])
    this.#collected = null
    return bytes
  }

  /** Writes to a file or command. Returns true if it could be written immediately. */
  write(operator: '>' | '>>' | '|', name: string, text: string): boolean {
    if (operator !== '|' && name === '/dev/stdout') {
      this.print(text)
      return true
    }
    if (operator !== '|' && name === '/dev/stderr') {
      void this.#io.stderr.write(text)
      return true
    }
    const output = this.#outputs.get(name)
    if (!output) return false
    if (output.writer) void output.writer.write(text)
    else output.chunks.push(encode(text))
    return true
  }

  /** Opens a file or command for writing, unless it is already open. */
  async open(operator: '>' | '>>' | '|', name: string): Promise<void> {
    if (this.#outputs.has(name)) return
    if (operator === '|') {
      await this.flush()
      this.#holds = true
      this.#outputs.set(name, { command: true, writer: null, chunks: [] })
      return
    }
    try {
      const writer = await this.#io.files.create(name, { append: operator === '>>' })
      this.#outputs.set(name, { command: false, writer, chunks: [] })
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      throw new Failed(`fatal: cannot redirect to \`${name}': ${error.message}`, 2)
    }
  }

  /** Returns the reader of a file or command; null if the file cannot be opened. */
  async source(name: string, command: boolean): Promise<RecordReader | null> {
    const known = this.#sources.get(name)
    if (known) return known.reader
    if (command) {
      await this.flush()
      const chunks: Uint8Array[] = []
      const exitCode = await this.#io.exec(['bash', '-c', name], { output: (bytes) => chunks.push(bytes) })
      const reader = new RecordReader(bytesReader(concat(chunks)), decoderFor(this.#io.env))
      this.#sources.set(name, { reader, exitCode })
      return reader
    }
    try {
      const status = await this.#io.files.stat(name)
      if (status?.kind === 'directory') return null
      const opened = name === '-' ? this.#io.stdin : await this.#io.files.open(name)
      const reader = new RecordReader(opened, decoderFor(this.#io.env))
      this.#sources.set(name, { reader, exitCode: 0 })
      return reader
    } catch (error) {
      if (error instanceof FileError) return null
      throw error
    }
  }

  async system(command: string): Promise<number> {
    await this.flush()
    for (const { writer } of this.#outputs.values()) await writer?.flush()
    return this.#io.exec(['bash', '-c', command])
  }

  /** Flushes held-back standard output. */
  async flush(): Promise<void> {
    if (this.#held !== '') await this.#io.stdout.write(this.#held)
    this.#held = ''
    await this.#io.stdout.flush()
  }

  async flushAll(): Promise<void> {
    await this.flush()
    for (const { writer } of this.#outputs.values()) await writer?.flush()
  }

  isOpen(name: string): boolean {
    return this.#outputs.has(name) || this.#sources.has(name)
  }

  /** Closes a stream. Returns -1 if it is not open, or the exit code of a command. */
  async close(name: string): Promise<number> {
    const output = this.#outputs.get(name)
    const source = this.#sources.get(name)
    if (source) {
      source.reader.close()
      this.#sources.delete(name)
    }
    if (output) {
      this.#outputs.delete(name)
      return this.#finish(name, output)
    }
    return source ? source.exitCode : -1
  }

  async #finish(name: string, { command, writer, chunks }: Output): Promise<number> {
    if (!command) {
      await writer?.flush()
      return 0
    }
    for (const { writer: other } of this.#outputs.values()) await other?.flush()
    const exitCode = await this.#io.exec(['bash', '-c', name], { stdin: concat(chunks) })
    this.#holds = [...this.#outputs.values()].some((output) => output.command)
    if (!this.#holds && this.#held !== '') {
      const held = this.#held
      this.#held = ''
      await this.#io.stdout.write(held)
    }
    return exitCode
  }

  /** At the end of the program, streams are closed in reverse order of opening. */
  async end(): Promise<void> {
    const names = [...this.#outputs.keys()].toReversed()
    for (const name of names) await this.close(name)
    await this.flush()
  }
}
