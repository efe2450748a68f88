// `--json`: sends one message and prints the result as one JSON object, for scripts. Asks the user nothing;
// field names are those of the API.

import { randomToken } from '../../src/lib/ids.ts'
import { cancelRun } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { OutputPaths } from './outputs.ts'
import { requestFor } from './request.ts'

import type { Event } from '../../src/agent/events.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Question } from '../../src/agent/question.ts'
import type { ChatEnd, ClientFailure, TerminalEvent } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { Interrupts } from './interrupts.ts'

/** Prints `value` on one line. */
function printJson(value: object): void {
  console.log(JSON.stringify(value))
}

/** Prints an error. `code` is `usage` or `failed`. */
export function printJsonError(code: string, detail: string): void {
  printJson({ error: { code, detail } })
}

/**
 * Returns the exit status: 0 if answered, 1 if not answered or waiting for approval; the object says which.
 */
export async function askAsJson(
  server: Server,
  thread: string | undefined,
  message: string,
  keepsPlan: boolean,
  interrupts: Interrupts,
): Promise<number> {
  const run = new RunEvents()
  const stopFollowing = new AbortController()
  let interruptCount = 0
  const cancel = (): void => {
    if (run.ids !== null) void cancelRun(server.client, run.ids.thread_id, run.ids.run_id)
  }
  const unregister = interrupts.register(() => {
    interruptCount++
    if (interruptCount > 1) stopFollowing.abort()
    else cancel()
  })
  const request = requestFor(message, thread, keepsPlan)
  const end = await server.client.chat(request, randomToken(32), {
    signal: stopFollowing.signal,
    onStarted: ({ threadId, runId }) => {
      run.ids = { thread_id: threadId, run_id: runId }
      // An interrupt that came before the run's ID was known stops the run now.
      if (interruptCount > 0) cancel()
    },
    onEvent: (event) => {
      run.add(event)
      if (event.type === 'run.waiting' && event.reason === 'approval') stopFollowing.abort()
    },
  })
  unregister()
  return printOutcome(server, run, end)
}

function printOutcome(server: Server, run: RunEvents, end: Result<ChatEnd, ClientFailure>): number {
  if (end.ok) {
    const { type } = end.value.terminal
    printJson(run.result(end.value.terminal))
    return type === 'run.completed' ? 0 : 1
  }
  if (run.hasOpenApprovals && end.error.kind === 'left') {
    printJson(run.waitingResult())
    return 1
  }
  const { kind } = end.error
  const error =
    kind === 'problem' ? end.error.problem : { code: kind, detail: explainFailure(end.error, server.url) }
  // A run that has started continues, whatever happens to this command, so its IDs are printed as well.
  printJson({ ...run.ids, error })
  return 1
}

/** Collects what the result needs from the events of a run. */
class RunEvents {
  /** Null until the run has started. */
  ids: { readonly thread_id: string; readonly run_id: string } | null = null
  readonly #outputs = new OutputPaths()
  #message: Message | null = null
  #question: Question | null = null
  #openApprovals: Extract<Event, { type: 'approval.requested' }>[] = []

  get hasOpenApprovals(): boolean {
    return this.#openApprovals.length > 0
  }

  add(event: Event): void {
    this.#outputs.observe(event)
    if (event.type === 'message.completed') this.#message = event.message
    if (event.type === 'approval.requested') this.#openApprovals.push(event)
    if (event.type === 'approval.decided')
      this.#openApprovals = this.#openApprovals.filter(({ tool_use_id }) => tool_use_id !== event.tool_use_id)
    if (event.type === 'input.requested') {
      const { kind, question, context, options } = event
      this.#question = { kind, question, context, options }
    }
  }

  /** The same object that the API returns without streaming, plus the files that the run created. */
  result({ receipt }: TerminalEvent): object {
    const { thread_id, run_id, status, stop_reason, error } = receipt
    return {
      thread_id,
      run_id,
      status,
      stop_reason,
      text: textOf(this.#message),
      ...(stop_reason === 'awaiting_input' && this.#question ? { question: this.#question } : {}),
      files: this.#outputs.paths().map(fullPath),
      ...(error === null ? {} : { error }),
      receipt,
    }
  }

  /** The result of a run that waits for approval. */
  waitingResult(): object {
    return {
      ...this.ids,
      status: 'waiting',
      approvals: this.#openApprovals.map(
        ({ tool_use_id, name, input, request, reason, free, digest, expires_at }) => ({
          tool_use_id,
          name,
          input,
          request,
          reason,
          free,
          digest,
          expires_at,
        }),
      ),
    }
  }
}

function textOf(message: Message | null): string {
  const blocks = message?.content ?? []
  return blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}
