// The keyboard of a conversation: one owner of standard input from start to end. Reads lines, several as one message, asks in
// between, and hears Ctrl-C at any time. What is typed while nobody reads waits for the next message, and answers no question.

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
/** In a paste also where the mark of its end may begin. */
const PASTE_STOP = new RegExp(`${STOP.source}|${ESC}(?:\\[(?:20?)?)?$`)

export interface KeyboardPorts {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** A terminal that takes no codes: whole lines, as it sends them. */
  readonly isDumb: boolean
  /** Ctrl-C while nothing is read, or an answer is asked for. */
  onInterrupt(): void
}

export interface PromptOptions {
  readonly prompt: string
  /** Newest first. */
  readonly history: string[]
  readonly complete: (line: string) => readonly string[]
}

/** What a line is read into. */
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
  /** A question is read: what was typed before it is no answer. */
  #aside: string | null = null
  readonly #hear = (chunk: Buffer | string): void => this.#heard(chunk.toString())

  constructor(ports: KeyboardPorts) {
    this.#ports = ports
    ports.input.setEncoding('utf8')
    ports.input.on('data', this.#hear)
    ports.input.on('end', () => this.#reader?.lines.close())
    ports.input.resume() // whoever read before may have paused it
    if (ports.isDumb) return
    ports.input.setRawMode(true)
    ports.output.write(PASTE_ON)
  }

  /** Gives the terminal back as it was. */
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

  /** Ctrl-C that came as a signal. */
  interrupted(): void {
    if (this.#reader) this.#reader.lines.emit('SIGINT')
    else this.#ports.onInterrupt()
  }

  /**
   * One message: a line, and further ones where it ends in a backslash or came in one paste. Null: Ctrl-C on an empty line, or
   * the end of the input. Ctrl-C on anything else begins the message anew.
   */
  async message({ prompt, history, complete }: PromptOptions): Promise<string | null> {
    return this.#read(prompt, history, complete, (reader, done) => {
      const before: string[] = []
      reader.lines.on('line', (line) => {
        const goesOn = this.#isPasting || line.endsWith('\\')
        before.push(this.#isPasting || !goesOn ? line : line.slice(0, -1))
        if (!goesOn) return done(before.join('\n'))
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

  /** One line that was typed after the question was shown. */
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
          // The next line is ours, wherever the cursor stood.
          if (text === null) output.write('\n')
          resolve(text)
        }
        lines.once('close', () => done(null))
        // Below npm only this process would stop, and nobody would have the terminal.
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
    // Whoever stops does not mean what they typed before it to be sent.
    this.#typed = isInterrupt ? '' : this.#typed + text
    if (isInterrupt) this.#ports.onInterrupt()
    else this.#feed()
  }

  /** Hands on what was typed, up to the end of what is asked for. */
  #feed(): void {
    while (this.#reader && this.#typed !== '') {
      const next = this.#next()
      if (next === null) return
      // Not by write: readline reads as it hears, and what comes behind the line belongs to whoever reads next.
      if (next !== '') this.#reader.input.emit('data', Buffer.from(next))
    }
  }

  /** The next piece: a mark of a paste is kept back, a line ends a piece. Null: wait for the rest of a mark. */
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
    // What is pasted may come from anywhere; TAB would complete.
    return this.#isPasting ? harmless(raw).replaceAll('\t', '  ') : raw
  }
}
