// The prompt cache of the scripted Messages API, billed as documented: a prefix is written at a breakpoint and read back
// from one that is at most 20 blocks behind it; at most four breakpoints; nothing below the minimum length.

/** As the API documents them for the models that the tests use. */
const BREAKPOINTS_MAX = 4
const LOOKBACK_BLOCKS = 20
const MINIMUM_TOKENS = 1_024
/** Number of remembered prefixes; the oldest are dropped first. The API forgets after five minutes. */
const REMEMBERED = 10_000

interface Block {
  readonly type?: string
  readonly [field: string]: unknown
}

interface Request {
  readonly system?: string | readonly Block[]
  readonly tools?: readonly Block[]
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
  readonly cache_control?: unknown
}

/** What a request is billed for its prompt. */
export interface Billed {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_read_input_tokens: number
}

/** A prefix of the request that ends with a block. */
interface Prefix {
  readonly key: string
  /** Tokens from the beginning of the request, at four characters each. */
  readonly tokens: number
  readonly breakpoint: boolean
}

function atomicBlocks(content: string | readonly Block[] | undefined): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

function cacheable(block: Block): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking' && block['text'] !== ''
}

function mix(hash: number, text: string): number {
  let mixed = hash
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  return mixed >>> 0
}

/** All prefixes of a request, in its order: tools, system, messages. Breakpoints are not part of the content. */
function prefixesOf(request: Request): readonly Prefix[] {
  const parts = [
    ...(request.tools ?? []).map((block) => ['tools', block] as const),
    ...atomicBlocks(request.system).map((block) => ['system', block] as const),
    ...(request.messages ?? []).flatMap(({ role, content }, at) =>
      atomicBlocks(content).map((block) => [`${at} ${role}`, block] as const),
    ),
  ]
  const last = request.cache_control === undefined ? -1 : parts.findLastIndex(([, block]) => cacheable(block))
  let [a, b, chars] = [0x811c9dc5, 0x9e3779b9, 0]
  return parts.map(([position, { cache_control, ...block }], at) => {
    const text = `${position}\n${JSON.stringify(block)}`
    ;[a, b, chars] = [mix(a, text), mix(b, text), chars + text.length]
    const breakpoint = cache_control !== undefined || at === last
    return { key: `${a}.${b}.${chars}`, tokens: Math.ceil(chars / 4), breakpoint }
  })
}

export class PromptCache {
  readonly #written = new Set<string>()

  /** Bills a request and remembers the prefixes that it wrote. Returns an error message if the API would refuse it. */
  bill(raw: string): Billed | string {
    const request = JSON.parse(raw) as Request // wrong shapes throw: a fake's own caller sends them
    const prefixes = prefixesOf(request)
    const at = prefixes.flatMap(({ breakpoint }, index) => (breakpoint ? [index] : []))
    if (at.length > BREAKPOINTS_MAX)
      return `A maximum of ${BREAKPOINTS_MAX} blocks with cache_control may be provided. Found ${at.length}.`
    const read = Math.max(0, ...at.map((index) => this.#readable(prefixes, index)))
    const marked = prefixes[at.at(-1) ?? -1]?.tokens ?? 0
    const written = marked >= MINIMUM_TOKENS ? marked : read
    for (const index of at) {
      const prefix = prefixes[index]
      if (prefix && prefix.tokens >= MINIMUM_TOKENS) this.#remember(prefix.key)
    }
    return {
      input_tokens: (prefixes.at(-1)?.tokens ?? 0) - written,
      cache_creation_input_tokens: written - read,
      cache_read_input_tokens: read,
    }
  }

  /** Tokens of the longest prefix that was written at the breakpoint or at most 20 blocks before it. */
  #readable(prefixes: readonly Prefix[], index: number): number {
    const looked = prefixes.slice(Math.max(0, index - LOOKBACK_BLOCKS + 1), index + 1)
    return looked.findLast(({ key }) => this.#written.has(key))?.tokens ?? 0
  }

  #remember(key: string): void {
    this.#written.delete(key)
    this.#written.add(key)
    for (const oldest of this.#written) {
      if (this.#written.size <= REMEMBERED) return
      this.#written.delete(oldest)
    }
  }
}
