// The types of a conversation. Provider blocks are stored verbatim, because the model's output is sent back byte for byte.

/** A Messages API content block as received. Only `type` is certain; the provider defines the other fields. */
export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

export interface TextBlock extends Block {
  readonly type: 'text'
  readonly text: string
}

export interface ImageBlock extends Block {
  readonly type: 'image'
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string }
}

/** An image in the thread's files. Requests to the model include its bytes, which never change. */
export interface FileImageBlock extends Block {
  readonly type: 'image'
  readonly source: {
    readonly type: 'file'
    /** The number of the stored object, and the path that the file had when it was viewed. */
    readonly object: number
    readonly path: string
    readonly media_type: string
    readonly bytes: number
  }
}

/** The content of a tool result, as the Messages API accepts it. */
export type ToolContent = string | readonly (TextBlock | ImageBlock | FileImageBlock)[]

export interface ToolUseBlock extends Block {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface ToolResultBlock extends Block {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: ToolContent
  readonly is_error: boolean
}

export type Role = 'user' | 'assistant'

/** A message as sent to the model. */
export interface ApiMessage {
  readonly role: Role
  readonly content: readonly Block[]
}

/** The contract's `Message`. */
export interface Message extends ApiMessage {
  readonly id: string
  readonly run_id: string
  /** The model that wrote it; null if a person or a tool did. */
  readonly model: string | null
  readonly created_at: string
  /** True if it continues the text of the message before it, which the output limit had cut off. */
  readonly continues?: true
  /** True for a person's message that joined a run that was in progress. */
  readonly steered?: true
  /** How long its thinking took to arrive, in ms. Absent if it has none. */
  readonly thinking_ms?: number
}

/** The tokens of a call, as the model API counts them. */
export interface Tokens {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
  /** The number of searches by the provider, which cost extra. Absent if there were none. */
  readonly web_search_requests?: number
}

/** The contract's `Usage`. */
export interface Usage extends Tokens {
  readonly cost_usd: number | null
}

export const NO_TOKENS: Tokens = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
}

export const NO_USAGE: Usage = { ...NO_TOKENS, cost_usd: 0 }

/** Adds two usages. If the cost of either is unknown, so is the cost of the sum. */
export function addUsage(a: Usage, b: Usage): Usage {
  const searches = (a.web_search_requests ?? 0) + (b.web_search_requests ?? 0)
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    ...(searches > 0 && { web_search_requests: searches }),
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
  }
}

/** The tokens of the request, both cached and uncached. */
export function promptTokens(tokens: Tokens): number {
  return tokens.input_tokens + tokens.cache_creation_input_tokens + tokens.cache_read_input_tokens
}

export function totalTokens(tokens: Tokens): number {
  return promptTokens(tokens) + tokens.output_tokens
}

export function isText(block: Block): block is TextBlock {
  return block.type === 'text' && typeof block['text'] === 'string'
}

/** Whether the block is an image that contains its bytes. Checks every field, because a tool result may contain anything. */
export function isImage(block: Block): block is ImageBlock {
  const source = block['source']
  if (block.type !== 'image' || typeof source !== 'object' || source === null) return false
  const { type, media_type, data } = source as Readonly<Record<string, unknown>> // all fields of an object are unknown
  return type === 'base64' && typeof media_type === 'string' && typeof data === 'string'
}

const createdBlocks = new WeakSet<Block>()

/** Creates an image block for a result. Results accept only blocks created here, because tools may return blocks of third parties. */
export function fileImage(source: FileImageBlock['source']): FileImageBlock {
  const block: FileImageBlock = { type: 'image', source }
  createdBlocks.add(block)
  return block
}

/** Whether fileImage() created this block. */
export function isCreatedFileImage(block: Block): block is FileImageBlock {
  return createdBlocks.has(block)
}

/** Whether the block refers to an image file. Sufficient for blocks read from storage, which only this code wrote. */
export function isFileImage(block: Block): block is FileImageBlock {
  const source = block['source']
  if (block.type !== 'image' || typeof source !== 'object' || source === null) return false
  const { type, object } = source as Readonly<Record<string, unknown>> // all fields of an object are unknown
  return type === 'file' && typeof object === 'number'
}

/** The images among these blocks, including those inside tool results. */
export function imagesOf(content: readonly Block[]): readonly Block[] {
  return content.flatMap((block) => {
    if (block.type === 'image') return [block]
    const innerBlocks = block.type === 'tool_result' ? block['content'] : null
    return Array.isArray(innerBlocks) ? imagesOf(innerBlocks as readonly Block[]) : [] // stored results contain only blocks
  })
}

/** The images inside tool results. */
export function resultImages(messages: readonly ApiMessage[]): readonly Block[] {
  return messages.flatMap(({ content }) => imagesOf(content.filter(({ type }) => type === 'tool_result')))
}

const BOUND_TO_MODEL: ReadonlySet<string> = new Set(
  'thinking redacted_thinking server_tool_use web_search_tool_result'.split(' '),
)

/** False for blocks that only the model that wrote them accepts, with its own tools. */
function isPortable({ type }: Block): boolean {
  return !BOUND_TO_MODEL.has(type)
}

/** What every model accepts of a message, with any tools. Citations point into results that are left out. */
export function portableContent(content: readonly Block[]): readonly Block[] {
  return content
    .filter(isPortable)
    .map((block) => (isText(block) && 'citations' in block ? { type: 'text', text: block.text } : block))
}

export function isToolUse(block: Block): block is ToolUseBlock {
  return block.type === 'tool_use' && typeof block['id'] === 'string' && typeof block['name'] === 'string'
}

/**
 * An answer and the messages that it continues, newest first, as one message: the text that was cut off and its
 * continuation become one block.
 */
export function joinAnswer([newest, ...earlier]: readonly Message[]): Message | null {
  if (!newest) return null
  const { continues: _, ...message } = newest
  return {
    ...message,
    content: earlier.reduce((content, before) => joinText(before.content, content), message.content),
  }
}

function joinText(before: readonly Block[], after: readonly Block[]): readonly Block[] {
  const last = before.at(-1)
  const index = after.findIndex((block) => isText(block))
  const next = after[index]
  if (!last || !isText(last) || !next || !isText(next)) return [...before, ...after]
  const text = { ...last, text: last.text + next.text }
  return [...before.slice(0, -1), text, ...after.slice(0, index), ...after.slice(index + 1)]
}

/** Whether a message has nothing for its reader: no text and no tool call. */
export function isEmptyAnswer(content: readonly Block[]): boolean {
  return !content.some((block) =>
    block.type !== 'text' ? isPortable(block) : isText(block) && block.text.trim() !== '',
  )
}

/** A message that the output limit cut off, without its tool calls. */
export function withoutCutCalls(content: readonly Block[]): readonly Block[] {
  return content.filter((block) => !isToolUse(block))
}

const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking'])

/** Whether a message consists only of thoughts and blank text: the API refuses to get such a message back. */
export function isOnlyThoughts(content: readonly Block[]): boolean {
  return content.every((block) => THOUGHTS.has(block.type) || (isText(block) && block.text.trim() === ''))
}

/** The first text block of a message, or an empty string. Slash commands are at its beginning. */
export function firstText(content: readonly Block[]): string {
  return content.find(isText)?.text ?? ''
}

/** The visible text of a message. */
export function textOf(message: ApiMessage): string {
  return message.content
    .filter(isText)
    .map((block) => block.text)
    .join('')
}
