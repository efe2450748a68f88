// A screen without cursor control: writes text as it arrives, and separate lines.

import { complain } from '../lib/command.ts'
import { harmless, paint } from '../lib/terminal.ts'
import { NAME_COLUMNS } from './screen.ts'

import type { OutputKind, Screen, Write } from './screen.ts'

/** For pipes, files and dumb terminals. */
export class PlainScreen implements Screen {
  readonly columns: number
  readonly #write: Write
  /** True while the last line has no line break yet. */
  #isLineOpen = false

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

  row(name: string, description: string): void {
    this.line(`${name.padEnd(NAME_COLUMNS)}${description}`)
  }

  fault(text: string): void {
    this.close()
    complain(text)
  }

  gap(): void {
    this.line('')
  }

  say(kind: OutputKind, text: string): void {
    const safe = harmless(text)
    if (safe === '') return
    this.#write(kind === 'thinking' ? paint('dim', safe) : safe)
    this.#isLineOpen = !safe.endsWith('\n')
  }

  restart(reason: string): void {
    this.line(reason, 'dim')
  }

  close(): void {
    if (this.#isLineOpen) this.#write('\n')
    this.#isLineOpen = false
  }

  status(): void {
    // Without cursor control a line cannot be rewritten.
  }

  typing(): void {}
}
