// The default script of the fake Messages API: a model that loads the first skill it sees, reads its references, and
// answers. It depends on the request alone, so it serves any number of threads at once.

import type { ModelRequest, Reply, Script, WireBlock } from './messages-wire.ts'

export interface DefaultScript {
  /** Rounds of tool calls before the answer. Default 2: load_skill, then read_file. */
  readonly steps?: number
  readonly firstTokenMs?: number
  readonly deltaMs?: number
  /** Words of the answer. */
  readonly words?: number
  /** Called for each answer: its events after the first 20 are sent once the promise resolves. */
  readonly hold?: () => Promise<void> | null
}

interface Request {
  readonly system?: unknown
  readonly tools?: readonly { readonly name?: string }[]
  readonly tool_choice?: { readonly type?: string }
  readonly messages?: readonly { readonly role?: string; readonly content?: unknown }[]
}

function hasResults(message: { readonly content?: unknown }): boolean {
  const { content } = message
  return Array.isArray(content) && content.some((block: WireBlock) => block.type === 'tool_result')
}

export function defaultScript(options: DefaultScript = {}): Script {
  const { steps = 2, firstTokenMs = 0, deltaMs = 0, words = 40, hold } = options
  const pace = { firstDelayMs: firstTokenMs, delayMs: deltaMs }
  return (requested: ModelRequest): Reply => {
    const request = parse(requested.raw)
    const messages = request.messages ?? []
    const system = JSON.stringify(request.system ?? '')
    const skill = /<name>([^<]+)<\/name>/.exec(system)?.[1]
    const location = /<location>([^<]+)<\/location>/.exec(system)?.[1]
    const tools = request.tool_choice?.type === 'none' ? [] : (request.tools ?? [])
    const has = (name: string): boolean => tools.some((tool) => tool.name === name)
    const start = messages.findLastIndex((message) => message.role === 'user' && !hasResults(message))
    const round = messages.slice(start).filter((message) => message.role === 'assistant').length
    const id = `toolu_fake_${messages.length}`
    const call = (name: string, input: object): Reply => ({
      content: [
        { type: 'text', text: `Step ${round + 1}: ${name}.` },
        { type: 'tool_use', id, name, input },
      ],
      ...pace,
    })
    if (round < steps && skill !== undefined && location !== undefined) {
      if (round === 0 && has('load_skill')) return call('load_skill', { name: skill })
      if (round > 0 && has('read_file')) {
        const file = /<file>([^<]+)<\/file>/.exec(requested.raw)?.[1] ?? 'SKILL.md'
        return call('read_file', { path: location.replace('SKILL.md', file), start_line: round })
      }
    }
    const text = Array.from({ length: words }, (_, at) => `word${at}`).join(' ')
    const until = hold?.() ?? null
    const held = until && { hold: { at: 20, until } }
    return { content: [{ type: 'text', text }], deltaChars: 6, ...pace, ...held }
  }
}

function parse(raw: string): Request {
  try {
    // The cast is safe: the fields are read leniently above, and a request of another shape simply gets the plain answer.
    return JSON.parse(raw) as Request
  } catch {
    return {}
  }
}
