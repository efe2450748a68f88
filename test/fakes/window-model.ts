// A model with a context window: it refuses requests that are too long, bills as the API documents its cache, and checks
// that every request extends the one before it, or begins a new window.

import type { Block } from '../../src/agent/message.ts'
import type { Model, ModelOutcome, ModelRequest } from '../../src/agent/model.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import { requestBody } from '../../src/model/request.ts'
import { PromptCache, type Billed } from './messages-cache.ts'

export interface WindowCall {
  readonly request: ModelRequest
  /** The request as JSON, without cache breakpoints. */
  readonly json: string
  readonly tokens: number
  /** Whether it asks for a summary: by extending the window, or in a request of its own. */
  readonly kind: 'step' | 'extends' | 'own'
  readonly billed: Billed | null
  /** Whether it was refused as too long. */
  readonly refused: boolean
}

/** The answer to a request: blocks, or a failure. `nth` counts the accepted requests of its kind. */
type Script = (call: Pick<WindowCall, 'request' | 'kind'>, nth: number) => readonly Block[] | ModelOutcome

const SUMMARY_TASK = /^Summarize the conversation so far/

export function textBlock(text: string): Block {
  return { type: 'text', text }
}

/** The text of all messages of a request. */
export function textIn({ messages }: ModelRequest): string {
  return messages
    .flatMap(({ content }) => content)
    .map(({ text, content }) => (typeof text === 'string' ? text : JSON.stringify(content ?? '')))
    .join('\n')
}

function fault(reason: string, retry: 'never' | 'later' = 'never'): ModelOutcome {
  const usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  return {
    kind: 'fault',
    fault: { retry, reason, detail: `The model says ${reason}.`, retryAfterMs: 1, usage },
  }
}

export const TOO_LONG = fault('too_large')
export const OVERLOADED = fault('overloaded', 'later')

export class WindowModel implements Model {
  readonly calls: WindowCall[] = []
  readonly problems: string[] = []
  readonly #script: Script
  /** Real window in tokens, which the registry may not know. */
  readonly window: number
  readonly #cache = new PromptCache()
  #closed = new Set<string>()

  constructor(window: number, script: Script) {
    this.window = window
    this.#script = script
  }

  /** A registry that knows the window, or does not. */
  registry(known = true): ModelRegistry {
    const price = { input: 1, output: 1, cacheWrite: 1, cacheRead: 1 }
    const entry = { id: 'windowed', price, images: true, ...(known ? { window: this.window } : {}) }
    return modelRegistry({ apiKey: 'k', baseUrl: null, model: 'windowed', models: [entry] })
  }

  of(kind: WindowCall['kind']): readonly WindowCall[] {
    return this.calls.filter((call) => call.kind === kind && !call.refused)
  }

  async call(...[request, onDelta]: Parameters<Model['call']>): Promise<ModelOutcome> {
    const { system, tools, messages } = request
    const last = messages.at(-1)?.content.at(-1)?.['text']
    const isSummary = typeof last === 'string' && SUMMARY_TASK.test(last)
    const kind = !isSummary ? 'step' : tools.length === 0 ? 'own' : 'extends'
    const json = JSON.stringify({ system, tools, messages }).slice(0, -2)
    const tokens = Math.ceil(json.length / 4)
    if (tokens + request.maxTokens > this.window) {
      this.calls.push({ request, json, tokens, kind, billed: null, refused: true })
      return TOO_LONG
    }
    if (kind !== 'own') this.#check(json, kind)
    const billed = this.#cache.bill(JSON.stringify(requestBody(request)))
    if (typeof billed === 'string') throw new Error(billed)
    const answer = this.#script({ request, kind }, this.of(kind).length)
    this.calls.push({ request, json, tokens, kind, billed, refused: false })
    if (!Array.isArray(answer)) return answer as ModelOutcome // the other case of Script
    const content = answer as readonly Block[]
    for (const [block, { type, text }] of content.entries())
      if (type === 'text') await onDelta({ type: 'text', block, text: String(text) })
    const stop = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
    const output_tokens = Math.ceil(JSON.stringify(content).length / 4)
    return { kind: 'message', content, stop, stopDetail: null, usage: { ...billed, output_tokens } }
  }

  /** Within a window each request extends the one before it, and the summary's instruction is the last. */
  #check(json: string, kind: WindowCall['kind']): void {
    const before = this.calls.findLast((call) => call.kind !== 'own' && !call.refused)
    const opening = openingOf(json)
    if (before && openingOf(before.json) === opening) {
      const extended = kind === 'step' || before.kind === 'extends' ? before : this.of('step').at(-1)
      const isRepeated = before.kind === 'extends' && kind === 'extends' && json === before.json
      if (!isRepeated && !json.startsWith(extended?.json ?? ''))
        this.problems.push(`request ${this.calls.length} does not extend the one before it`)
    }
    if (kind === 'step' && this.#closed.has(opening))
      this.problems.push(`request ${this.calls.length} is made in a window that was summarized`)
    if (before?.kind === 'extends' && openingOf(before.json) !== opening)
      this.#closed.add(openingOf(before.json))
  }
}

/** System prompt, tools and first message: what a window begins with. */
function openingOf(json: string): string {
  return json.slice(0, json.indexOf('},{"role":'))
}
