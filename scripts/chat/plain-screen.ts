// A screen without cursor control: text as it arrives, and separate lines.

import { complain } from '../lib/command.ts'
import { harmless, paint } from '../lib/terminal.ts'
import { NAME_COLUMNS } from './screen.ts'

import type { OutputKind, Screen, Write } from './screen.ts'

/** For pipes, files and dumb terminals. */
export class PlainScreen implements Screen {
  readonly columns: number
  readonly #write: Write
  /** True while the last line has no end. */
  #open = false

  constructor(write: Write, columns: number) {
    this.#write = write
    this.columns = columns
  }

  line(text: string, style?: 'dim'): void {
    this.close()
    this.#write(`${style ? paint(style, text) : text}\n`)
  }

  verbatim(text: string, style?: 'dim'): void {
    this.line(text, style)
  }

  row(name: string, about: string): void {
    this.line(`${name.padEnd(NAME_COLUMNS)}${about}`)
  }

  fault(text: string): void {
    this.close()
    complain(text)
  }

  gap(): void {
    this.line('')
  }

  say(kind: OutputKind, text: string): void {
    const plain = harmless(text)
    if (plain === '') return
    this.#write(kind === 'thinking' ? paint('dim', plain) : plain)
    this.#open = !plain.endsWith('\n')
  }

  restart(reason: string): void {
    this.line(reason, 'dim')
  }

  close(): void {
    if (this.#open) this.#write('\n')
    this.#open = false
  }

  status(): void {
    // This screen has no changing line.
  }
}
