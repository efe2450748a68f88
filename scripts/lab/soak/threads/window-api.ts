// A Messages API with a small context window, in the process of the test. It refuses longer requests, bills its cache
// as documented, writes a summary without any fact, and records the opening of each window.

import { startMessagesApi } from '../../../../test/fakes/messages-api.ts'

import type { Exchange, ModelRequest, Reply } from '../../../../test/fakes/messages-wire.ts'

/** Size of the window in tokens of four characters each. */
const WINDOW_TOKENS = 40_000
/** The environment of a server whose only model has this window. The model is free, so that no budget ends a run. */
export const WINDOW_MODEL = {
  MODEL: 'windowed',
  MODELS: JSON.stringify([{ id: 'windowed', window: WINDOW_TOKENS, price: { input: 0, output: 0 } }]),
} as const

const BREAKPOINT = ',"cache_control":{"type":"ephemeral"}'
const SUMMARY_TASK = /^Summarize the conversation so far/
const SUMMARY = 'The user asked for nothing, and nothing is known.'
/** Maximum number of messages between two requests whose billing is compared. */
const KEPT_EXCHANGES = 2

interface Block {
  readonly type: string
  readonly text?: string
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** The parts of a request that the story reads. Satchel's requests have this shape. */
export interface StoryRequest {
  readonly system?: unknown
  readonly tools?: readonly unknown[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[]
  readonly max_tokens: number
}

type Kind = 'step' | 'extends' | 'own'

interface Answered {
  readonly kind: Kind
  /** Tokens of the whole prompt, and of the part that was cached. */
  readonly input: number
  readonly read: number
  /** Whether the window is the same as in the previous request. */
  readonly isSameWindow: boolean
}

export interface WindowApi {
  readonly url: string
  /** The messages of the first request of each window except the first, as JSON. */
  readonly openings: readonly string[]
  readonly answered: readonly Answered[]
  readonly problems: readonly string[]
  readonly refused: () => number
  close(): Promise<void>
}

export interface Story {
  /** Returns the answer to a step. `raw` is the request as it was sent. */
  readonly step: (request: StoryRequest, raw: string) => Reply
  readonly onSummary?: () => void
  readonly onSent?: () => void
}

function kindOf({ tools = [], messages }: StoryRequest): Kind {
  const isSummary = SUMMARY_TASK.test(messages.at(-1)?.content.at(-1)?.text ?? '')
  if (!isSummary) return 'step'
  return tools.length === 0 ? 'own' : 'extends'
}

export async function startWindowApi(story: Story): Promise<WindowApi> {
  const openings = new Map<string, string>()
  const answered: Answered[] = []
  const problems: string[] = []
  let refused = 0
  let waiting: Omit<Answered, 'input' | 'read'> | null = null
  /** The last request for a step, without its last brackets, and the window to which it belongs. */
  let last = { json: '', opening: '' }
  const settle = (before: Exchange | undefined): void => {
    const prompt = before?.prompt
    if (waiting && prompt) {
      const read = prompt.cache_read_input_tokens
      answered.push({
        ...waiting,
        read,
        input: prompt.input_tokens + prompt.cache_creation_input_tokens + read,
      })
    }
    waiting = null
  }
  const answer = ({ raw }: ModelRequest): Reply => {
    const kept = api.exchanges as Exchange[] // the recorder's own list, which would grow without end
    settle(kept.at(-1))
    kept.splice(0, Math.max(0, kept.length - KEPT_EXCHANGES))
    const request = JSON.parse(raw.replaceAll(BREAKPOINT, '')) as StoryRequest // Satchel's shape
    const { system, tools, messages } = request
    const json = JSON.stringify({ system, tools, messages }).slice(0, -2)
    if (Math.ceil(json.length / 4) + request.max_tokens > WINDOW_TOKENS) {
      refused += 1
      return { status: 400, type: 'invalid_request_error', message: 'prompt is too long' }
    }
    const kind = kindOf(request)
    const opening = JSON.stringify([system, tools, messages[0]])
    const isSameWindow = opening === last.opening
    if (kind !== 'own' && isSameWindow && !json.startsWith(last.json) && !last.json.startsWith(json))
      problems.push(`a request (${kind}) does not extend the one before it`)
    waiting = { kind, isSameWindow }
    const first = messages[0]?.content[0]?.text ?? ''
    if (kind === 'step' && first.startsWith('<earlier_conversation>') && !openings.has(first))
      openings.set(first, JSON.stringify(messages))
    if (kind !== 'step') {
      story.onSummary?.()
      return { content: [{ type: 'text', text: SUMMARY }], firstDelayMs: 30 }
    }
    last = { json, opening }
    return story.step(request, raw)
  }
  const api = await startMessagesApi(answer, { strict: true, onBilled: () => story.onSent?.() })
  return {
    url: api.url,
    get openings() {
      return [...openings.values()]
    },
    answered,
    problems,
    refused: () => refused,
    close: async () => {
      settle(api.exchanges.at(-1))
      await api.close()
    },
  }
}
