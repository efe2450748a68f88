// node:readline: reads lines of a stream as events, in a loop, or as answers to questions.

import { EventEmitter } from './library/events.ts'

interface Input {
  on(event: string, call: (data: unknown) => void): unknown
  once(event: string, call: (data: unknown) => void): unknown
  setEncoding?(encoding: string): unknown
  pause?(): unknown
  resume?(): unknown
}

interface Options {
  readonly input?: Input
  readonly output?: { write(text: string): unknown }
  readonly prompt?: string
}

/** Maximum number of lines that are buffered for a loop before its input is paused. */
const LINES_AHEAD = 1_024

export class Interface extends EventEmitter {
  readonly #output: { write(text: string): unknown } | undefined
  readonly #prompt: string
  readonly #waiting: string[] = []
  readonly #questions: ((line: string) => void)[] = []
  #rest = ''
  #input: Input | null = null
  #ended = false
  closed = false
  terminal = false
  line = ''

  constructor(options: Options | Input, output?: Options['output']) {
    super()
    // The cast is safe: the arguments are one object with all options, or the two streams.
    const given = ('input' in options ? options : { input: options, output }) as Options
    this.#output = given.output
    this.#prompt = given.prompt ?? '> '
    const { input } = given
    if (!input) return
    this.#input = input
    input.setEncoding?.('utf8')
    input.on('data', (data) => this.#take(String(data)))
    input.once('end', () => this.#end())
    input.once('error', (error) => this.emit('error', error))
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#give(line)
  }

  #give(line: string): void {
    const question = this.#questions.shift()
    if (question) question(line)
    else if (this.listenerCount('line') > 0) this.emit('line', line)
    else this.#waiting.push(line)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#rest !== '') this.#give(this.#rest.replace(/\r$/, ''))
    this.#rest = ''
    if (this.#waiting.length === 0 || this.listenerCount('line') > 0) this.close()
    else this.emit('drained')
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.emit('close')
  }

  question(query: string, options: unknown, then?: (line: string) => void): void {
    this.#output?.write(query)
    const call = (typeof options === 'function' ? options : then) as (line: string) => void
    const line = this.#waiting.shift()
    if (line === undefined) this.#questions.push(call)
    else call(line)
  }

  prompt(): void {
    this.#output?.write(this.#prompt)
  }

  setPrompt(): void {}

  write(): void {}

  pause(): this {
    return this
  }

  resume(): this {
    return this
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let wake: (() => void) | null = null
    const lines = this.#waiting
    this.on('line', (line: string) => {
      lines.push(line)
      if (lines.length > LINES_AHEAD) this.#input?.pause?.()
      wake?.()
    })
    this.once('close', () => wake?.())
    this.once('drained', () => wake?.())
    for (;;) {
      // Take all lines at once, because `shift` moves all remaining items.
      for (const line of lines.splice(0)) yield line
      if (lines.length > 0) continue
      if (this.closed || this.#ended) return
      this.#input?.resume?.()
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}

const createInterface = (options: Options | Input, output?: Options['output']): Interface =>
  new Interface(options, output)

export const readlinePromises = {
  Interface,
  createInterface: (options: Options | Input, output?: Options['output']) => {
    const made = new Interface(options, output)
    return Object.assign(made, {
      question: async (query: string) =>
        new Promise<string>((resolve) =>
          Interface.prototype.question.call(made, query, (line: string) => resolve(line)),
        ),
    })
  },
}

export const readlineModule = {
  Interface,
  createInterface,
  promises: readlinePromises,
  clearLine: () => true,
  cursorTo: () => true,
  moveCursor: () => true,
  clearScreenDown: () => true,
  emitKeypressEvents: () => {},
}
