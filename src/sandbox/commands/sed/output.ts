// The output of sed. If the last line has no line end, one is added before more output.

import type { CommandIo } from '../command.ts'
import type { ByteWriter } from '../io/writer.ts'

export class SedOutput {
  readonly writer: ByteWriter
  readonly #separator: string
  #open = false

  constructor(writer: ByteWriter, separator: string) {
    this.writer = writer
    this.#separator = separator
  }

  line(text: string, ended: boolean): Promise<void> | undefined {
    const before = this.#open ? this.#separator : ''
    this.#open = !ended
    return this.writer.write(before + text + (ended ? this.#separator : ''))
  }

  /** Writes text unchanged, after the line end of an incomplete line. */
  raw(text: string | Uint8Array): Promise<void> | undefined {
    if (this.#open) {
      this.#open = false
      void this.writer.write(this.#separator)
    }
    return this.writer.write(text)
  }
}

/** The output files of `w` and `W` by name. Each is created before the first line is read. */
export class SedFiles {
  readonly #io: CommandIo
  readonly #separator: string
  readonly #outputs = new Map<string, SedOutput>()

  constructor(io: CommandIo, separator: string) {
    this.#io = io
    this.#separator = separator
  }

  async create(name: string): Promise<void> {
    if (this.#outputs.has(name)) return
    const writer =
      name === '/dev/stdout'
        ? this.#io.stdout
        : name === '/dev/stderr'
          ? this.#io.stderr
          : await this.#io.files.create(name)
    this.#outputs.set(name, new SedOutput(writer, this.#separator))
  }

  async line(name: string, text: string, ended: boolean): Promise<void> {
    await this.#outputs.get(name)?.line(text, ended)
  }

  /** Completes all files, so that they can be read. */
  async flush(): Promise<void> {
    for (const [name, { writer }] of this.#outputs) if (!name.startsWith('/dev/std')) await writer.flush()
  }
}
