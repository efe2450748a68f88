// Builds one assistant message from the events of a stream, block by block and verbatim. Pure.

import { cutText } from '../lib/text.ts'
import { MODEL_JSON_MAX_DEPTH } from '../limits/model.ts'
import {
  MODEL_CALL_NAME_MAX_CHARS,
  MODEL_MESSAGE_MAX_BLOCKS,
  MODEL_MESSAGE_MAX_BYTES,
  STOP_REASON_MAX_CHARS,
} from './limits.ts'
import type { Block, Tokens } from '../agent/message.ts'
import type { ModelDelta, ModelOutcome } from '../agent/model.ts'
import { billableSearches } from '../agent/server-search.ts'
import { fault, faultOfEvent } from './failure.ts'
import type { SecretValues } from './failure.ts'
import { asObject, asText, parseObject, parseStorable } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { UsageMeter } from './usage.ts'

interface PartialBlock {
  /** The block of `content_block_start`. Its fields are changed in place, so that their order is preserved. */
  readonly block: Record<string, unknown>
  /** The fragments of tool input so far, joined; null if there are none. */
  json: string | null
  citations: unknown[] | null
  isOpen: boolean
}

const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
])

/** The usual estimate of the length of a token. */
const CHARS_PER_TOKEN = 4

const TOO_DEEP = `nests deeper than ${MODEL_JSON_MAX_DEPTH} levels`

function badResponse(problem: string, retry: 'once' | 'never' = 'once'): ModelOutcome {
  return { kind: 'fault', fault: fault(retry, 'bad_response', `The Messages API sent ${problem}.`) }
}

export class MessageBuilder {
  readonly #requestId: string
  readonly #secrets: SecretValues
  readonly #blocks: PartialBlock[] = []
  #hasStarted = false
  #contentChars = 0
  #invalidInput: string | null = null
  #stop: string | null = null
  #stopDetail: string | null = null
  readonly #usage = new UsageMeter()
  /** True if the API has reported the output tokens of the response. */
  #hasOutputTokens = false

  constructor(requestId: string, secrets: SecretValues) {
    this.#requestId = requestId
    this.#secrets = secrets
  }

  /**
   * Processes one server-sent event. Returns text to show (`ModelDelta`), how the call ended (`ModelOutcome`), or null.
   * Ignores unknown events and deltas, because the API may add some.
   */
  process(name: string | null, data: string): ModelDelta | ModelOutcome | null {
    if (name === null || !HANDLED_EVENTS.has(name)) return null
    if (name === 'error') return { kind: 'fault', fault: faultOfEvent(data, this.#requestId, this.#secrets) }
    const event = parseObject(data)
    if (event === null) return badResponse(`a ${name} event that is not a JSON object, or ${TOO_DEEP}`)
    switch (name) {
      case 'message_start':
        return this.#startMessage(event)
      case 'content_block_start':
        return this.#openBlock(event, data.length)
      case 'content_block_delta':
        return this.#extendBlock(event, data.length)
      case 'content_block_stop':
        return this.#closeBlock(event)
      case 'message_delta':
        return this.#recordStop(event)
      default:
        return this.#finishMessage()
    }
  }

  #startMessage(event: Json): ModelOutcome | null {
    if (this.#hasStarted) return badResponse('a second message in one response')
    this.#hasStarted = true
    return this.#takeUsage(asObject(asObject(event['message'])?.['usage']))
  }

  /** Adds a reported usage. If it cannot be charged, the response is invalid and the reserved cost remains charged. */
  #takeUsage(usage: Json | null): ModelOutcome | null {
    return this.#usage.process(usage) ? null : badResponse('a usage that is not a number of tokens')
  }

  /**
   * The usage of the call; null if it is unknown. If the response broke off, output tokens are estimated from the
   * text so far as a lower bound, and each search that was started counts, because it may be billed.
   */
  usage(): Tokens | null {
    if (this.#hasOutputTokens) return this.#usage.tokens(null)
    const searches = billableSearches(this.#blocks.map(({ block }) => block))
    return this.#usage.tokens({ output: Math.ceil(this.#contentChars / CHARS_PER_TOKEN), searches })
  }

  #openBlock(event: Json, size: number): ModelDelta | ModelOutcome | null {
    const block = asObject(event['content_block'])
    const index = this.#blocks.length
    if (block === null || asText(block['type']) === '') return badResponse('a content block without a type')
    if (event['index'] !== index) return badResponse('content blocks out of order')
    if (index >= MODEL_MESSAGE_MAX_BLOCKS)
      return badResponse(`a message of more than ${MODEL_MESSAGE_MAX_BLOCKS} content blocks`, 'never')
    this.#blocks.push({ block: { ...block }, json: null, citations: null, isOpen: true })
    return this.#addText('text', index, block['type'] === 'text' ? asText(block['text']) : '', size)
  }

  #extendBlock(event: Json, size: number): ModelDelta | ModelOutcome | null {
    const index = typeof event['index'] === 'number' ? event['index'] : -1
    const partial = this.#blocks[index]
    const delta = asObject(event['delta'])
    if (partial === undefined || !partial.isOpen || delta === null)
      return badResponse('a delta for no open block')
    const { block } = partial
    switch (delta['type']) {
      case 'text_delta': {
        const text = asText(delta['text'])
        block['text'] = asText(block['text']) + text
        return this.#addText('text', index, block['type'] === 'text' ? text : '', text.length)
      }
      case 'thinking_delta': {
        const text = asText(delta['thinking'])
        block['thinking'] = asText(block['thinking']) + text
        return this.#addText('thinking', index, block['type'] === 'thinking' ? text : '', text.length)
      }
      case 'signature_delta': {
        const signature = asText(delta['signature'])
        block['signature'] = signature
        return this.#addText('thinking', index, '', signature.length)
      }
      case 'citations_delta':
        partial.citations ??= Array.isArray(block['citations']) ? [...block['citations']] : []
        partial.citations.push(delta['citation'])
        block['citations'] = partial.citations
        return this.#addText('text', index, '', size)
      case 'input_json_delta': {
        const part = asText(delta['partial_json'])
        partial.json = (partial.json ?? '') + part
        return this.#addText('text', index, '', part.length)
      }
      default:
        return null
    }
  }

  /** Adds to the size of the message, in UTF-16 units, and returns the text to show. */
  #addText(
    type: ModelDelta['type'],
    block: number,
    text: string,
    size: number,
  ): ModelDelta | ModelOutcome | null {
    this.#contentChars += size
    if (this.#contentChars > MODEL_MESSAGE_MAX_BYTES)
      return badResponse(`a message of more than ${MODEL_MESSAGE_MAX_BYTES} bytes`, 'never')
    return text === '' ? null : { type, block, text }
  }

  #closeBlock(event: Json): ModelOutcome | null {
    const partial = typeof event['index'] === 'number' ? this.#blocks[event['index']] : undefined
    if (partial === undefined || !partial.isOpen) return badResponse('the end of a block that is not open')
    partial.isOpen = false
    const json = partial.json?.trim() ?? ''
    if (json === '') return null
    const input = parseStorable(json)
    if (input === null) this.#invalidInput = asText(partial.block['name']) || 'a tool'
    partial.block['input'] = input ?? {}
    return null
  }

  #recordStop(event: Json): ModelOutcome | null {
    const delta = asObject(event['delta'])
    const details = asObject(delta?.['stop_details'])
    this.#stop = shortText(delta?.['stop_reason']) || this.#stop
    this.#stopDetail = shortText(details?.['category']) || this.#stopDetail
    const usage = asObject(event['usage'])
    this.#hasOutputTokens ||= typeof usage?.['output_tokens'] === 'number'
    return this.#takeUsage(usage)
  }

  #finishMessage(): ModelOutcome {
    if (this.#stop === null) return badResponse('the end of a message without a stop reason')
    if (this.#blocks.some((partial) => partial.isOpen))
      return badResponse('the end of a message with a block still open')
    // A message that was cut by a limit may contain incomplete input, because its tools do not run.
    if (this.#invalidInput !== null && this.#stop === 'tool_use')
      return badResponse(
        `input for ${shortText(this.#invalidInput)} that is not a JSON object, or ${TOO_DEEP}`,
      )
    const content = this.#blocks.map(({ block }): Block => ({ ...block, type: asText(block['type']) }))
    const problem = idProblem(content)
    if (problem !== null) return badResponse(problem)
    this.#hasOutputTokens = true
    return { kind: 'message', content, stop: this.#stop, stopDetail: this.#stopDetail, usage: this.usage() }
  }
}

function shortText(value: unknown): string {
  return cutText(asText(value), STOP_REASON_MAX_CHARS)
}

/** What is wrong with the IDs and names of tool calls, or null. Each call needs a unique ID to match its result. */
function idProblem(content: readonly Block[]): string | null {
  const seenIds = new Set<string>()
  for (const block of content) {
    if (block.type !== 'tool_use') continue
    const id = asText(block['id'])
    const name = asText(block['name'])
    if (id === '' || name === '') return 'a tool call without an id or a name'
    if (id.length > MODEL_CALL_NAME_MAX_CHARS || name.length > MODEL_CALL_NAME_MAX_CHARS)
      return `a tool call whose id or name is longer than ${MODEL_CALL_NAME_MAX_CHARS} characters`
    if (seenIds.has(id)) return `two tool calls with the id ${JSON.stringify(id.slice(0, 64))}`
    seenIds.add(id)
  }
  return null
}
