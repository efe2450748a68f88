// A model that answers from a script and records its requests. It depends on the conversation alone, so that it repeats
// an answer after a crash, and checks every request against the previous one.

import type { Block } from '../../src/agent/message.ts'
import type { Model, ModelOutcome, ModelRequest } from '../../src/agent/model.ts'

type OnDelta = Parameters<Model['call']>[1]

export interface Turn {
  readonly content?: readonly Block[]
  readonly stop?: string
  readonly tokens?: number
  /** Replaces everything above. */
  readonly act?: (request: ModelRequest, onDelta: OnDelta, signal: AbortSignal) => Promise<ModelOutcome>
}

export function text(words: string): Block {
  return { type: 'text', text: words }
}

export function use(id: string, name: string, input: object = {}): Block {
  return { type: 'tool_use', id, name, input }
}

export function answer(turn: Turn): ModelOutcome {
  const content = turn.content ?? []
  const calls = content.some((block) => block.type === 'tool_use')
  const tokens = turn.tokens ?? 10
  return {
    kind: 'message',
    content,
    stop: turn.stop ?? (calls ? 'tool_use' : 'end_turn'),
    stopDetail: null,
    usage: {
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

/** Streams the visible parts of a turn in small deltas. */
async function say(content: readonly Block[], onDelta: OnDelta): Promise<void> {
  for (const [block, { type, text: output, thinking }] of content.entries()) {
    if (type !== 'text' && type !== 'thinking') continue
    for (const part of String(type === 'text' ? output : thinking).match(/[\s\S]{1,4}/gu) ?? [])
      await onDelta({ type, block, text: part })
  }
}

/** Waits until the call is cancelled, like a model that hangs. */
export async function hang(signal: AbortSignal): Promise<ModelOutcome> {
  while (!signal.aborted) await scheduler.wait(1)
  const fault = {
    retry: 'never',
    reason: 'aborted',
    detail: 'Stopped.',
    retryAfterMs: null,
    usage: null,
  } as const
  return { kind: 'fault', fault }
}

function isResults(message: { readonly content: readonly Block[] } | undefined): boolean {
  return message?.content[0]?.type === 'tool_result'
}

/** How many answers the model gave since the last message of a person. */
export function answersSince(request: ModelRequest): number {
  const requested = request.messages.findLastIndex(
    (message) => message.role === 'user' && !isResults(message),
  )
  return request.messages.slice(requested).filter((message) => message.role === 'assistant').length
}

export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  readonly problems: string[] = []
  readonly #turn: (request: ModelRequest, call: number) => Turn
  #last = ''

  /** `turn` returns the answer to a request. `call` counts all calls, including those repeated after a crash. */
  constructor(turn: readonly Turn[] | ((request: ModelRequest, call: number) => Turn)) {
    this.#turn =
      typeof turn === 'function'
        ? turn
        : (request) => turn[answersSince(request)] ?? { content: [text('The script is over.')] }
  }

  async call(...[request, onDelta, signal]: Parameters<Model['call']>): Promise<ModelOutcome> {
    this.#check(request)
    this.requests.push(request)
    const turn = this.#turn(request, this.requests.length - 1)
    if (turn.act) return turn.act(request, onDelta, signal)
    await say(turn.content ?? [], onDelta)
    return answer(turn)
  }

  /** Checks that the prefix is frozen: the next request begins with the unchanged bytes of this one. */
  #check(request: ModelRequest): void {
    const { model, system, tools, messages } = request
    const bytes = JSON.stringify({ model, system, tools, messages }).slice(0, -2)
    if (!bytes.startsWith(this.#last))
      this.problems.push(`request ${this.requests.length} does not extend the one before`)
    this.#last = bytes
    this.problems.push(...pairing(messages))
  }
}

/** Violations in a transcript: each call must be answered once, at the beginning of the next message. */
export function pairing(
  messages: readonly { readonly role: string; readonly content: readonly Block[] }[],
): string[] {
  return messages.flatMap((message, at) => {
    const before = messages[at - 1]
    const called = before?.role === 'assistant' ? ids(before.content, 'tool_use', 'id') : []
    const answered = ids(message.content, 'tool_result', 'tool_use_id')
    const head = ids(message.content.slice(0, called.length), 'tool_result', 'tool_use_id')
    const open =
      at === messages.length - 1 && message.role === 'assistant' && ids(message.content, 'tool_use', 'id')
    return [
      ...(called.join() === answered.join() && head.length === answered.length
        ? []
        : [`message ${at} answers [${answered.join()}] where [${called.join()}] was called`]),
      ...(open && open.length > 0 ? [`the last calls [${open.join()}] are unanswered`] : []),
    ]
  })
}

function ids(content: readonly Block[], type: string, field: string): readonly string[] {
  return content.filter((block) => block.type === type).map((block) => String(block[field]))
}
