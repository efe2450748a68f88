// `--json`: sends one message and prints one JSON object with the result, for scripts. Asks nothing; uses the API's
// terms.

import { randomToken } from '../../src/lib/ids.ts'
import { cancel } from '../../src/client/threads.ts'
import { fullPath } from '../../src/files/path.ts'
import { explainFailure, type Server } from '../lib/server.ts'
import { Outputs } from './outputs.ts'

import type { Event } from '../../src/agent/events.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Question } from '../../src/agent/question.ts'
import type { ChatEnd, ClientFailure, TerminalEvent } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import type { Interrupts } from './interrupts.ts'

/** Prints `value` on one line. */
function printed(value: object): void {
  console.log(JSON.stringify(value))
}

/** `code`: `usage` or `failed`. */
export function printedError(code: string, detail: string): void {
  printed({ error: { code, detail } })
}

/** Status 0: answered. 1: not answered, or waiting for approval; the object says which. */
export async function answerJson(
  server: Server,
  thread: string | undefined,
  message: string,
  interrupts: Interrupts,
): Promise<number> {
  const run = new Heard()
  const left = new AbortController()
  let stops = 0
  const deaf = interrupts.hear(() => {
    stops++
    if (stops > 1 || run.ids === null) left.abort()
    else void cancel(server.client, run.ids.thread_id, run.ids.run_id)
  })
  const request = thread === undefined ? { message } : { message, thread_id: thread }
  const end = await server.client.chat(request, randomToken(32), {
    signal: left.signal,
    onStarted: ({ threadId, runId }) => {
      run.ids = { thread_id: threadId, run_id: runId }
    },
    onEvent: (event) => {
      run.hear(event)
      if (event.type === 'run.waiting') left.abort()
    },
  })
  deaf()
  return report(server, run, end)
}

function report(server: Server, run: Heard, end: Result<ChatEnd, ClientFailure>): number {
  if (end.ok) {
    const { type } = end.value.terminal
    printed(run.reply(end.value.terminal))
    return type === 'run.completed' ? 0 : 1
  }
  if (run.waits.length > 0 && end.error.kind === 'left') {
    printed(run.waiting())
    return 1
  }
  const { kind } = end.error
  const error =
    kind === 'problem' ? end.error.problem : { code: kind, detail: explainFailure(end.error, server.url) }
  // A started run continues, whatever happens to this command.
  printed({ ...run.ids, error })
  return 1
}

/** Collects the events of a run. */
class Heard {
  /** Null if nothing has started. */
  ids: { readonly thread_id: string; readonly run_id: string } | null = null
  readonly #outputs = new Outputs()
  #message: Message | null = null
  #question: Question | null = null
  #waits: Extract<Event, { type: 'approval.requested' }>[] = []

  get waits(): readonly unknown[] {
    return this.#waits
  }

  hear(event: Event): void {
    this.#outputs.see(event)
    if (event.type === 'message.completed') this.#message = event.message
    if (event.type === 'approval.requested') this.#waits.push(event)
    if (event.type === 'approval.decided')
      this.#waits = this.#waits.filter(({ tool_use_id }) => tool_use_id !== event.tool_use_id)
    if (event.type === 'input.requested') {
      const { kind, question, context, options } = event
      this.#question = { kind, question, context, options }
    }
  }

  /** Like the API's answer without a stream, plus the files that were created. */
  reply({ receipt }: TerminalEvent): object {
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

  waiting(): object {
    return {
      ...this.ids,
      status: 'waiting',
      approvals: this.#waits.map(
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
