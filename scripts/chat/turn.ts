// Follows one run in the terminal to its end: shows it, asks about its calls; Ctrl-C stops it, a second one leaves
// it. converse.ts and conversation.ts continue from there.

import { cancel } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmless } from '../lib/terminal.ts'
import { cardLines } from './card.ts'
import { Desk } from './desk.ts'
import { saveFiles } from './fetch.ts'
import { again, sayHow } from './hints.ts'
import { Outputs } from './outputs.ts'
import { receiptLine, Renderer } from './render.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ChatEnd, ClientFailure, Listener } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { AskLine } from '../lib/ask.ts'
import type { Interrupts } from './interrupts.ts'
import type { Screen } from './screen.ts'

export interface Manner {
  readonly thinking: boolean
  /** The folder for files of answers. */
  readonly folder: string | undefined
  /** Null if there is no terminal. */
  readonly ask: AskLine | null
  readonly screen: Screen
  readonly interrupts: Interrupts
}

export interface TurnOutcome {
  /** 0: answered. 1: not answered, or waiting for approval. */
  readonly status: 0 | 1
  /** Null: no thread was created. */
  readonly threadId: string | null
  /** The choices of the run's question; null if it asked none. */
  readonly options: readonly string[] | null
  /** The user left; the run may continue. */
  readonly isLeft: boolean
  /** It waits for an answer that nobody gave. */
  readonly isWaiting: boolean
}

type Start = (listener: Listener) => Promise<Result<ChatEnd, ClientFailure>>

/** `from`: events before this one are not shown. */
export async function followed(
  server: Server,
  manner: Manner,
  start: Start,
  from: (event: Event) => boolean = () => true,
): Promise<TurnOutcome> {
  const { screen, interrupts } = manner
  const turn = new Turn(server, manner, from)
  const deaf = interrupts.hear(() => turn.interrupt())
  try {
    screen.status('… sending')
    const end = await start(turn.listener)
    screen.status(null)
    return await turn.end(end)
  } finally {
    deaf()
    screen.status(null)
  }
}

class Turn {
  readonly #server: Server
  readonly #manner: Manner
  readonly #from: (event: Event) => boolean
  readonly #outputs = new Outputs()
  readonly #renderer: Renderer
  readonly #left = new AbortController()
  readonly #desk: Desk
  #live = false
  #options: readonly string[] | null = null
  #stops = 0
  #run: { readonly thread_id: string; readonly run_id: string } | null = null

  constructor(server: Server, manner: Manner, from: (event: Event) => boolean) {
    const { screen, thinking, ask } = manner
    this.#server = server
    this.#manner = manner
    this.#from = from
    this.#renderer = new Renderer(screen, thinking)
    this.#desk = new Desk({
      ask,
      show: (call) => {
        for (const line of cardLines(call, screen.columns)) screen.verbatim(line)
      },
      say: (line) => screen.line(line),
      answer: ({ thread_id, run_id, tool_use_id }, answer) =>
        server.client.approve(thread_id, run_id, tool_use_id, answer),
      explain: (failure) => harmless(explainFailure(failure, server.url)),
      leave: () => {
        // Stopping a run waits for its end.
        if (this.#stops === 0) this.#left.abort()
      },
    })
  }

  get listener(): Listener {
    return {
      signal: this.#left.signal,
      onEvent: (event) => this.#see(event),
      onReconnect: () => this.#renderer.dropped(),
    }
  }

  #see(event: Event): void {
    const isFirst = this.#run === null
    this.#run ??= event
    if (isFirst && this.#stops > 0) void this.#cancel()
    this.#outputs.see(event)
    this.#live ||= this.#from(event)
    if (this.#live || event.type !== 'run.waiting') this.#desk.see(event)
    if (event.type === 'input.requested') this.#options = event.options
    if (this.#live) this.#renderer.show(event)
    if (this.#stops > 0) this.#manner.screen.status('… stopping')
  }

  /** The first Ctrl-C stops the run; the second leaves it. */
  interrupt(): void {
    this.#stops++
    if (this.#stops > 1) return this.#left.abort()
    this.#manner.screen.status('… stopping')
    void this.#cancel()
  }

  async #cancel(): Promise<void> {
    // Until its first event the run's id is unknown: that event then stops it.
    if (this.#run === null) return
    const { client, url } = this.#server
    const stopped = await cancel(client, this.#run.thread_id, this.#run.run_id)
    if (stopped.ok) return
    this.#manner.screen.fault(`It could not be stopped: ${explainFailure(stopped.error, url)}`)
  }

  async end(end: Result<ChatEnd, ClientFailure>): Promise<TurnOutcome> {
    const { screen, folder } = this.#manner
    const threadId = this.#run?.thread_id ?? null
    screen.close()
    if (!end.ok) {
      // A request cancelled on the way counts as left.
      const isLeft = this.#stops > 1
      const isWaiting = end.error.kind === 'left' && !isLeft
      if (isWaiting) for (const one of this.#desk.open) sayHow(screen, this.#server, one)
      else if (!isLeft) screen.fault(explainFailure(end.error, this.#server.url))
      return { status: 1, threadId, options: null, isLeft, isWaiting }
    }
    this.#sayEnd(end.value)
    screen.gap()
    screen.line(receiptLine(end.value.terminal.receipt), 'dim')
    const made = this.#outputs.paths()
    const lost = folder ? await saveFiles(this.#server, end.value.threadId, made, folder) : 0
    if (!folder && made.length > 0) {
      for (const path of made) this.#renderer.aside(`made: ${fullPath(path)}`)
      screen.verbatim(`get them: ${again(this.#server, end.value.threadId)} --save DIR`, 'dim')
    }
    const { type, stop_reason } = end.value.terminal
    return {
      status: type === 'run.completed' && lost === 0 ? 0 : 1,
      threadId: end.value.threadId,
      options: stop_reason === 'awaiting_input' ? this.#options : null,
      isLeft: false,
      isWaiting: false,
    }
  }

  #sayEnd({ terminal }: ChatEnd): void {
    const { screen } = this.#manner
    if (terminal.type === 'run.cancelled' && this.#stops > 0) {
      this.#renderer.aside('Stopped. What was said is kept.')
    } else if (terminal.type !== 'run.completed') {
      const why = terminal.error ? `${terminal.error.code}: ${terminal.error.detail}` : terminal.stop_reason
      screen.fault(`The run ended as ${terminal.type.slice('run.'.length)}: ${why}`)
    } else if (terminal.stop_reason !== 'answered') {
      this.#renderer.aside(`(${terminal.stop_reason})`)
    }
  }
}
