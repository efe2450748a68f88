// Reads standard input during a conversation, and is its only reader: messages of one or more lines, answers
// to questions, and Ctrl-C at any time. Text typed in between goes to the next message, never to a question.

import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'

import { harmless } from '../lib/terminal.ts'
import { CHAT_HISTORY_MAX_MESSAGES } from './limits.ts'
import { splitTyped } from './typed-lines.ts'

import type { AskLine } from '../lib/ask.ts'

const ESC = '\x1b'
const PASTE_MARKS_ON = `${ESC}[?2004h`
const PASTE_MARKS_OFF = `${ESC}[?2004l`
const PASTE_START = `${ESC}[200~`
const PASTE_END = `${ESC}[201~`
const CTRL_C = '\x03'
/** Matches what ends a chunk of typed text: a paste mark or a line break. */
const CHUNK_END = new RegExp(`${ESC}\\[20[01]~|[\\r\\n]`)
/**
 * Matches what ends a chunk of pasted text: also the beginning of an end mark that has not arrived
 * completely.
 */
const PASTE_CHUNK_END = new RegExp(`${CHUNK_END.source}|${ESC}(?:\\[(?:20?)?)?$`)

/** Matches the command that sends a text into the answer that is being written. */
const STEER = /^\/steer(?:\s+([^]*))?$/

/** Receives text that is typed while an answer is running. */
export interface TypingListener {
  /** `queued` are the complete lines, which become the next messages. */
  onTyped(unfinished: string, queued: readonly string[]): void
  onSteer(text: string): void
  /** Called for the key Esc. */
  onStop(): void
}

export interface KeyboardPorts {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** True for a terminal without escape codes, which sends complete lines. */
  readonly isDumbTerminal: boolean
  /** Called for Ctrl-C during a question, or while nothing is being read. */
  onInterrupt(): void
}

export interface PromptOptions {
  readonly prompt: string
  /** Newest first. */
  readonly history: string[]
  readonly complete: (line: string) => readonly string[]
}

/** A readline interface, and the stream that feeds it. */
interface LineReader {
  readonly lines: Interface
  readonly input: PassThrough
}

export class Keyboard {
  readonly #ports: KeyboardPorts
  /** Typed text that has not been read yet. */
  #unreadText = ''
  #reader: LineReader | null = null
  #isPasting = false
  #listener: TypingListener | null = null
  /** The text typed before the current question, which is not part of the answer; null if there is no question. */
  #textBeforeQuestion: string | null = null
  readonly #onData = (chunk: Buffer | string): void => this.#receive(chunk.toString())

  constructor(ports: KeyboardPorts) {
    this.#ports = ports
    ports.input.setEncoding('utf8')
    ports.input.on('data', this.#onData)
    ports.input.on('end', () => this.#reader?.lines.close())
    ports.input.resume() // an earlier reader may have paused it
    if (ports.isDumbTerminal) return
    ports.input.setRawMode(true)
    ports.output.write(PASTE_MARKS_ON)
  }

  /** Until the returned function is called, `listener` receives text that is typed while nothing is being read. */
  listen(listener: TypingListener): () => void {
    this.#listener = listener
    this.#reportTyped()
    return () => {
      this.#listener = null
    }
  }

  /** Restores the terminal. */
  close(): void {
    const { input, output, isDumbTerminal } = this.#ports
    input.off('data', this.#onData)
    this.#reader?.lines.close()
    if (!isDumbTerminal) {
      output.write(PASTE_MARKS_OFF)
      input.setRawMode(false)
    }
    input.pause()
  }

  /** Handles a Ctrl-C that arrived as a signal instead of a key. */
  interrupt(): void {
    if (this.#reader) this.#reader.lines.emit('SIGINT')
    else this.#ports.onInterrupt()
  }

  /**
   * Reads one message. It continues after a line that ends in a backslash, and within a paste. Returns null
   * at the end of the input, or for Ctrl-C on an empty line; Ctrl-C after typing starts the message over.
   */
  async readMessage({ prompt, history, complete }: PromptOptions): Promise<string | null> {
    return this.#read(prompt, history, complete, (reader, done) => {
      const messageLines: string[] = []
      reader.lines.on('line', (line) => {
        const isContinued = this.#isPasting || line.endsWith('\\')
        messageLines.push(this.#isPasting || !isContinued ? line : line.slice(0, -1))
        if (!isContinued) return done(messageLines.join('\n'))
        reader.lines.setPrompt('… ')
        reader.lines.prompt()
      })
      reader.lines.on('SIGINT', () => {
        if (messageLines.length === 0 && reader.lines.line === '') return done(null)
        messageLines.length = 0
        this.#ports.output.write('\n')
        for (const name of this.#ports.isDumbTerminal ? [] : ['e', 'u'])
          reader.lines.write(null, { ctrl: true, name })
        reader.lines.setPrompt(prompt)
        reader.lines.prompt()
      })
    })
  }

  /** Asks a question and reads one line, typed after the question appeared. */
  readonly ask: AskLine = async (question, signal) => {
    if (signal?.aborted) return null
    this.#textBeforeQuestion = this.#unreadText
    this.#unreadText = ''
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
    this.#unreadText = this.#textBeforeQuestion + this.#unreadText
    this.#textBeforeQuestion = null
    return answer
  }

  async #read(
    prompt: string,
    history: string[],
    complete: PromptOptions['complete'],
    listen: (reader: LineReader, done: (text: string | null) => void) => void,
  ): Promise<string | null> {
    const { output, isDumbTerminal } = this.#ports
    const input = new PassThrough()
    const lines = createInterface({
      input,
      output,
      prompt,
      history,
      terminal: !isDumbTerminal,
      historySize: CHAT_HISTORY_MAX_MESSAGES,
      completer: (line: string) => [[...complete(line)], line],
    })
    const reader = { lines, input }
    this.#reader = reader
    try {
      return await new Promise((resolve) => {
        let isDone = false
        const done = (text: string | null): void => {
          if (isDone) return
          isDone = true
          this.#reader = null
          lines.close()
          // Start on a new line, wherever the cursor is.
          if (text === null) output.write('\n')
          resolve(text)
        }
        lines.once('close', () => done(null))
        // Ignore Ctrl-Z: under npm only this process would stop, and the terminal would be left without a
        // reader.
        lines.on('SIGTSTP', () => {})
        listen(reader, done)
        lines.prompt()
        this.#feed()
      })
    } finally {
      lines.close()
    }
  }

  #receive(text: string): void {
    const isIdle = this.#reader === null && !this.#isPasting
    if (isIdle && this.#listener && text === ESC) return this.#listener.onStop()
    const isInterrupt = isIdle && text.includes(CTRL_C)
    // Ctrl-C discards the text typed before it.
    this.#unreadText = isInterrupt ? '' : this.#unreadText + text
    if (isInterrupt) this.#ports.onInterrupt()
    else this.#feed()
    this.#reportTyped()
  }

  /** Removes steering commands from the typed text, and reports the rest. */
  #reportTyped(): void {
    if (this.#reader || !this.#listener) return
    const { lines, rest } = splitTyped(this.#unreadText)
    const queued = lines.filter(({ text }) => !STEER.test(text))
    if (queued.length < lines.length) this.#unreadText = [...queued, rest].map(({ raw }) => raw).join('')
    this.#listener.onTyped(
      rest.text,
      queued.map(({ text }) => text),
    )
    for (const { text } of lines) {
      const steering = STEER.exec(text)
      if (steering) this.#listener.onSteer((steering[1] ?? '').trim())
    }
  }

  /** Passes typed text to the current reader until that has its line. */
  #feed(): void {
    while (this.#reader && this.#unreadText !== '') {
      const chunk = this.#nextChunk()
      if (chunk === null) return
      // Emits the event instead of calling write, so that readline handles each chunk synchronously: text
      // after the line belongs to the next reader.
      if (chunk !== '') this.#reader.input.emit('data', Buffer.from(chunk))
    }
  }

  /**
   * Removes and returns the next chunk, which ends at a line break. Returns '' for a paste mark, which is
   * dropped, and null if the remainder of a mark has not arrived.
   */
  #nextChunk(): string | null {
    for (const [mark, isPasting] of [
      [PASTE_START, true],
      [PASTE_END, false],
    ] as const) {
      if (!this.#unreadText.startsWith(mark)) continue
      this.#isPasting = isPasting
      this.#unreadText = this.#unreadText.slice(mark.length)
      return ''
    }
    const lineBreak = /^(?:\r\n?|\n)/.exec(this.#unreadText)?.[0]
    const end = (this.#isPasting ? PASTE_CHUNK_END : CHUNK_END).exec(this.#unreadText)
    const chunk = lineBreak ?? this.#unreadText.slice(0, end?.index ?? this.#unreadText.length)
    if (chunk === '') return null
    this.#unreadText = this.#unreadText.slice(chunk.length)
    if (lineBreak !== undefined) return this.#ports.isDumbTerminal ? '\n' : '\r'
    // Pasted text is untrusted, and a tab in it would trigger completion.
    return this.#isPasting ? harmless(chunk).replaceAll('\t', '  ') : chunk
  }
}
