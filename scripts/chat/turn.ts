// Follows one run in the terminal to its end: shows its events and asks about its calls. One Ctrl-C stops the
// run; a second one stops following it. ask-once.ts and conversation.ts send the next message.

import { outcomeText } from '../../src/client/run-text.ts'
import { cancelRun, steerRun } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { randomToken } from '../../src/lib/ids.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { harmless, harmlessLine } from '../lib/terminal.ts'
import { cardLines, CHOICE_QUESTION } from './card.ts'
import { ApprovalDesk } from './approval-desk.ts'
import { saveFiles } from './download.ts'
import { continueCommand, showLaterCommands } from './hints.ts'
import { OutputPaths } from './outputs.ts'
import { receiptLine, Renderer } from './render.ts'
import { toolLabels, type Labels } from './tool-labels.ts'

import type { Event } from '../../src/agent/events.ts'
import type { ChatEnd, ClientFailure, Listener } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { AskLine } from '../lib/ask.ts'
import type { Interrupts } from './interrupts.ts'
import type { Keyboard, TypingListener } from './keyboard.ts'
import type { Screen } from './screen.ts'

export interface ChatTerminal {
  /** Whether to show the model's thinking. */
  readonly showsThinking: boolean
  /** The folder in which files that a run created are saved. */
  readonly outputFolder: string | undefined
  /** Asks the user; null if there is no terminal. */
  readonly ask: AskLine | null
  readonly screen: Screen
  readonly interrupts: Interrupts
  /** Reports typed text during an answer; null if there is no terminal. */
  readonly keyboard: Pick<Keyboard, 'listen'> | null
}

export interface TurnOutcome {
  /** The exit status: 0 if answered, 1 if not answered or waiting for approval. */
  readonly status: 0 | 1
  /** Null if no thread was created. */
  readonly threadId: string | null
  /** The choices of the run's question; null if it asked none. */
  readonly options: readonly string[] | null
  /** Whether the user stopped following the run, which may continue. */
  readonly isLeft: boolean
  /** Whether the run waits for an approval that nobody gave. */
  readonly isWaiting: boolean
  /** The run that answers messages that came too late to join this one; null if there is none. */
  readonly nextRunId: string | null
}

type StartRun = (listener: Listener) => Promise<Result<ChatEnd, ClientFailure>>

/**
 * Starts or joins a run with `start`, and follows it. Events are shown from the first one for which `isFirst`
 * is true.
 */
export async function followTurn(
  server: Server,
  terminal: ChatTerminal,
  start: StartRun,
  isFirst: (event: Event) => boolean = () => true,
): Promise<TurnOutcome> {
  const { screen, interrupts } = terminal
  const turn = new Turn(server, terminal, await toolLabels(server.client), isFirst)
  const unregister = interrupts.register(() => turn.interrupt())
  const stopListening = terminal.keyboard?.listen(turn.typing)
  let outcome: TurnOutcome
  try {
    screen.status('Sending…')
    const end = await start(turn.listener)
    screen.status(null)
    outcome = await turn.end(end)
  } finally {
    stopListening?.()
    unregister()
    screen.typing(null)
    screen.status(null)
  }
  const { threadId, nextRunId } = outcome
  if (threadId === null || nextRunId === null) return outcome
  screen.line('The answer had ended; your message is answered now.', 'dim')
  return followTurn(server, terminal, (listener) => server.client.follow(threadId, nextRunId, null, listener))
}

/** Describes the keys that are available during an answer. */
const KEYS_HINT = 'Enter queues, /steer TEXT steers, Esc stops'

class Turn {
  readonly #server: Server
  readonly #terminal: ChatTerminal
  readonly #isFirstShown: (event: Event) => boolean
  readonly #outputs = new OutputPaths()
  readonly #renderer: Renderer
  readonly #stopFollowing = new AbortController()
  readonly #desk: ApprovalDesk
  /** True from the first event that is shown. */
  #isShowing = false
  #options: readonly string[] | null = null
  #interruptCount = 0
  #hasCompacted = false
  #run: { readonly thread_id: string; readonly run_id: string } | null = null
  /** Steering messages that were typed before the run's ID was known. */
  #earlyTexts: readonly string[] = []
  #pendingSteers: Promise<unknown> = Promise.resolve()
  #nextRunId: string | null = null

  constructor(
    server: Server,
    terminal: ChatTerminal,
    labels: Labels,
    isFirstShown: (event: Event) => boolean,
  ) {
    const { screen, showsThinking, ask } = terminal
    this.#server = server
    this.#terminal = terminal
    this.#isFirstShown = isFirstShown
    this.#renderer = new Renderer(screen, showsThinking, labels)
    this.#desk = new ApprovalDesk({
      ask,
      show: (call) => {
        for (const line of cardLines(call, screen.columns)) screen.verbatim(line)
        if (ask) screen.line(CHOICE_QUESTION)
      },
      say: (line) => screen.line(line),
      sendDecision: ({ thread_id, run_id, tool_use_id }, answer) =>
        server.client.decideCall(thread_id, run_id, tool_use_id, answer),
      explain: (failure) => harmless(explainFailure(failure, server.url)),
      stopFollowing: () => {
        // After Ctrl-C, the run is followed until it has stopped.
        if (this.#interruptCount === 0) this.#stopFollowing.abort()
      },
    })
  }

  get listener(): Listener {
    return {
      signal: this.#stopFollowing.signal,
      onEvent: (event) => this.#handleEvent(event),
      onReconnect: () => this.#renderer.showDisconnected(),
    }
  }

  #handleEvent(event: Event): void {
    const isFirst = this.#run === null
    this.#run ??= event
    if (isFirst && this.#interruptCount > 0) void this.#cancel()
    if (isFirst) for (const text of this.#earlyTexts) this.#steer(text)
    this.#outputs.observe(event)
    this.#isShowing ||= this.#isFirstShown(event)
    if (this.#isShowing || event.type !== 'run.waiting') this.#desk.handleEvent(event)
    if (event.type === 'context.compacted') this.#hasCompacted = true
    if (event.type === 'input.requested') this.#options = event.options
    if (this.#isShowing) this.#renderer.show(event)
    if (this.#interruptCount > 0) this.#terminal.screen.status('Stopping…')
  }

  get typing(): TypingListener {
    const { screen } = this.#terminal
    return {
      onTyped: (unfinished, queued) => {
        const last = queued.at(-1)
        const rest = last === undefined ? KEYS_HINT : `queued: ${harmlessLine(last)}`
        screen.typing(unfinished === '' ? rest : `> ${harmlessLine(unfinished)}`)
      },
      onSteer: (text) => {
        if (text === '') screen.typing('Write the text behind /steer')
        else if (this.#run === null) this.#earlyTexts = [...this.#earlyTexts, text]
        else this.#steer(text)
      },
      onStop: () => {
        if (this.#interruptCount === 0) this.interrupt()
      },
    }
  }

  #steer(text: string): void {
    this.#pendingSteers = Promise.all([this.#pendingSteers, this.#sendSteering(text)])
  }

  async #sendSteering(text: string): Promise<void> {
    const { screen } = this.#terminal
    const { client, url } = this.#server
    const run = this.#run
    if (run === null) return
    const sent = await steerRun(client, run.thread_id, text, randomToken(32))
    if (!sent.ok) return screen.fault(`Not sent: ${explainFailure(sent.error, url)}`)
    // If the answer had just ended, the message starts a run of its own.
    if (sent.value.run_id === run.run_id) screen.typing('sent: the answer takes it up at its next step')
    else this.#nextRunId = sent.value.run_id
  }

  /** Handles Ctrl-C: the first stops the run, and the second stops following it. */
  interrupt(): void {
    this.#interruptCount++
    if (this.#interruptCount > 1) return this.#stopFollowing.abort()
    this.#terminal.screen.status('Stopping…')
    void this.#cancel()
  }

  async #cancel(): Promise<void> {
    // The run's ID is unknown until its first event; #handleEvent then cancels it.
    if (this.#run === null) return
    const { client, url } = this.#server
    const cancelResult = await cancelRun(client, this.#run.thread_id, this.#run.run_id)
    if (cancelResult.ok) return
    this.#terminal.screen.fault(`The run could not be stopped: ${explainFailure(cancelResult.error, url)}`)
  }

  async end(end: Result<ChatEnd, ClientFailure>): Promise<TurnOutcome> {
    await this.#pendingSteers
    const { screen, outputFolder } = this.#terminal
    const threadId = this.#run?.thread_id ?? null
    screen.close()
    if (!end.ok) {
      // This includes a second Ctrl-C before the response to the first request.
      const isLeft = this.#interruptCount > 1
      const isWaiting = end.error.kind === 'left' && !isLeft
      if (isWaiting) for (const call of this.#desk.openCalls) showLaterCommands(screen, this.#server, call)
      else if (!isLeft) screen.fault(explainFailure(end.error, this.#server.url))
      return { status: 1, threadId, options: null, isLeft, isWaiting, nextRunId: null }
    }
    this.#showEnd(end.value)
    screen.gap()
    screen.line(receiptLine(end.value.terminal.receipt), 'dim')
    const outputs = this.#outputs.paths()
    const failedCount = outputFolder
      ? await saveFiles(this.#server, end.value.threadId, outputs, outputFolder)
      : 0
    if (!outputFolder && outputs.length > 0) {
      for (const path of outputs) this.#renderer.note(`created: ${fullPath(path)}`)
      screen.verbatim(`download with: ${continueCommand(this.#server, end.value.threadId)} --save DIR`, 'dim')
    }
    const { type, stop_reason } = end.value.terminal
    return {
      status: type === 'run.completed' && failedCount === 0 ? 0 : 1,
      threadId: end.value.threadId,
      options: stop_reason === 'awaiting_input' ? this.#options : null,
      isLeft: false,
      isWaiting: false,
      nextRunId: end.value.terminal.receipt.next_run_id ?? this.#nextRunId,
    }
  }

  #showEnd({ terminal }: ChatEnd): void {
    const { screen } = this.#terminal
    if (terminal.type === 'run.cancelled' && this.#interruptCount > 0) {
      this.#renderer.note('Stopped. The answer so far is kept in the thread.')
    } else if (terminal.type !== 'run.completed') {
      const detail = terminal.error ? `: ${terminal.error.detail} (${terminal.error.code})` : '.'
      screen.fault(`${outcomeText(terminal.receipt.status, terminal.stop_reason)}${detail}`)
    } else if (terminal.stop_reason === 'compacted') {
      if (!this.#hasCompacted) this.#renderer.note('There is nothing to compact.')
    } else if (terminal.stop_reason !== 'answered' && terminal.stop_reason !== 'awaiting_input') {
      this.#renderer.note(`${outcomeText(terminal.receipt.status, terminal.stop_reason)}.`)
    }
  }
}
