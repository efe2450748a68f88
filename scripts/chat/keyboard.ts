// The keyboard of a conversation: the only reader of standard input. Reads lines and multi-line messages, asks
// questions, and receives Ctrl-C at any time. Text typed while nothing is read goes to the next message, never to a
// question.

import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'

import { harmless } from '../lib/terminal.ts'
import { CHAT_HISTORY_MAX } from './limits.ts'

import type { AskLine } from '../lib/ask.ts'

const ESC = '\x1b'
const PASTE_ON = `${ESC}[?2004h`
const PASTE_OFF = `${ESC}[?2004l`
const PASTE_BEGINS = `${ESC}[200~`
const PASTE_ENDS = `${ESC}[201~`
const INTERRUPT = '\x03'
/** Where a piece ends. */
const STOP = new RegExp(`${ESC}\\[20[01]~|[\\r\\n]`)
/** In a paste, also where its end mark may begin. */
const PASTE_STOP = new RegExp(`${STOP.source}|${ESC}(?:\\[(?:20?)?)?$`)

export interface KeyboardPorts {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** A terminal without escape codes sends whole lines. */
  readonly isDumb: boolean
  /** Ctrl-C while nothing is read, or during a question. */
  onInterrupt(): void
}

export interface PromptOptions {
  readonly prompt: string
  /** Newest first. */
  readonly history: string[]
  readonly complete: (line: string) => readonly string[]
}

/** Receives a line. */
interface Reader {
  readonly lines: Interface
  readonly input: PassThrough
}

export class Keyboard {
  readonly #ports: KeyboardPorts
  /** Typed, and not read yet. */
  #typed = ''
  #reader: Reader | null = null
  #isPasting = false
  /** During a question: what was typed before it is no answer. */
  #aside: string | null = null
  readonly #hear = (chunk: Buffer | string): void => this.#heard(chunk.toString())

  constructor(ports: KeyboardPorts) {
    this.#ports = ports
    ports.input.setEncoding('utf8')
    ports.input.on('data', this.#hear)
    ports.input.on('end', () => this.#reader?.lines.close())
    ports.input.resume() // an earlier reader may have paused it
    if (ports.isDumb) return
    ports.input.setRawMode(true)
    ports.output.write(PASTE_ON)
  }

  /** Restores the terminal. */
  close(): void {
    const { input, output, isDumb } = this.#ports
    input.off('data', this.#hear)
    this.#reader?.lines.close()
    if (!isDumb) {
      output.write(PASTE_OFF)
      input.setRawMode(false)
    }
    input.pause()
  }

  /** Handles Ctrl-C that arrived as a signal. */
  interrupted(): void {
    if (this.#reader) this.#reader.lines.emit('SIGINT')
    else this.#ports.onInterrupt()
  }

  /**
   * Reads one message: a line, and further ones after a backslash or in one paste. Null: Ctrl-C on an empty line,
   * or the end of the input. Ctrl-C on anything else starts the message over.
   */
  async message({ prompt, history, complete }: PromptOptions): Promise<string | null> {
    return this.#read(prompt, history, complete, (reader, done) => {
      const before: string[] = []
      reader.lines.on('line', (line) => {
        const mayContinue = this.#isPasting || line.endsWith('\\')
        before.push(this.#isPasting || !mayContinue ? line : line.slice(0, -1))
        if (!mayContinue) return done(before.join('\n'))
        reader.lines.setPrompt('… ')
        reader.lines.prompt()
      })
      reader.lines.on('SIGINT', () => {
        if (before.length === 0 && reader.lines.line === '') return done(null)
        before.length = 0
        this.#ports.output.write('\n')
        for (const name of this.#ports.isDumb ? [] : ['e', 'u'])
          reader.lines.write(null, { ctrl: true, name })
        reader.lines.setPrompt(prompt)
        reader.lines.prompt()
      })
    })
  }

  /** Reads one line that was typed after the question appeared. */
  readonly ask: AskLine = async (question, signal) => {
    if (signal?.aborted) return null
    this.#aside = this.#typed
    this.#typed = ''
    const answer = await this.#read(
      question,
      [],
      () => [],
      (reader, done) => {
        reader.lines.on('line', (line) => done(line.trim()))
        reader.lines.on('SIGINT', () => {
          done(null)
          this.#ports.onInterrupt()
        })
        signal?.addEventListener('abort', () => done(null), { once: true })
      },
    )
    this.#typed = this.#aside + this.#typed
    this.#aside = null
    return answer
  }

  async #read(
    prompt: string,
    history: string[],
    complete: PromptOptions['complete'],
    listen: (reader: Reader, done: (text: string | null) => void) => void,
  ): Promise<string | null> {
    const { output, isDumb } = this.#ports
    const input = new PassThrough()
    const lines = createInterface({
      input,
      output,
      prompt,
      history,
      terminal: !isDumb,
      historySize: CHAT_HISTORY_MAX,
      completer: (line: string) => [[...complete(line)], line],
    })
    const reader = { lines, input }
    this.#reader = reader
    try {
      return await new Promise((resolve) => {
        let isOver = false
        const done = (text: string | null): void => {
          if (isOver) return
          isOver = true
          this.#reader = null
          lines.close()
          // Start on a new line, wherever the cursor is.
          if (text === null) output.write('\n')
          resolve(text)
        }
        lines.once('close', () => done(null))
        // Under npm only this process would stop, and nobody would own the terminal.
        lines.on('SIGTSTP', () => {})
        listen(reader, done)
        lines.prompt()
        this.#feed()
      })
    } finally {
      lines.close()
    }
  }

  #heard(text: string): void {
    const isInterrupt = this.#reader === null && !this.#isPasting && text.includes(INTERRUPT)
    // Ctrl-C drops what was typed before it.
    this.#typed = isInterrupt ? '' : this.#typed + text
    if (isInterrupt) this.#ports.onInterrupt()
    else this.#feed()
  }

  /** Passes typed text on, up to the end of the current read. */
  #feed(): void {
    while (this.#reader && this.#typed !== '') {
      const next = this.#next()
      if (next === null) return
      // Not with write: readline emits lines as it reads, and the rest belongs to the next reader.
      if (next !== '') this.#reader.input.emit('data', Buffer.from(next))
    }
  }

  /** The next piece: paste marks are removed, a line ends a piece. Null if the rest of a mark is missing. */
  #next(): string | null {
    for (const [mark, isPasting] of [
      [PASTE_BEGINS, true],
      [PASTE_ENDS, false],
    ] as const) {
      if (!this.#typed.startsWith(mark)) continue
      this.#isPasting = isPasting
      this.#typed = this.#typed.slice(mark.length)
      return ''
    }
    const line = /^(?:\r\n?|\n)/.exec(this.#typed)?.[0]
    const end = (this.#isPasting ? PASTE_STOP : STOP).exec(this.#typed)
    const raw = line ?? this.#typed.slice(0, end?.index ?? this.#typed.length)
    if (raw === '') return null
    this.#typed = this.#typed.slice(raw.length)
    if (line !== undefined) return this.#ports.isDumb ? '\n' : '\r'
    // Pasted text is untrusted; TAB would complete.
    return this.#isPasting ? harmless(raw).replaceAll('\t', '  ') : raw
  }
}
