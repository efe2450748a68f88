// What a request to the model asks for: the newest words of a person, where they are of one of our stories. Pure.

interface Said {
  readonly role?: unknown
  readonly content?: unknown
}

/** The words of a person in this message; null: it holds results, or the model said it. */
function asking({ role, content }: Said, story: RegExp): string | null {
  if (role !== 'user' || !Array.isArray(content)) return null
  // As our own requests have them; of any other there is no text.
  const blocks = content as readonly { readonly type?: unknown; readonly text?: unknown }[]
  if (blocks.some(({ type }) => type === 'tool_result')) return null
  return (
    blocks.map(({ text }) => (typeof text === 'string' ? text : '')).find((text) => story.test(text)) ?? ''
  )
}

export interface NewestAsk {
  /** What `story` found in the words. */
  readonly found: RegExpExecArray
  /** How often the model has answered since. */
  readonly round: number
  /** Another one for each request of a conversation. */
  readonly turn: number
  readonly mayCall: boolean
}

/** Null: the newest message is not of this story. */
export function newestAsk(raw: string, story: RegExp): NewestAsk | null {
  // Our own request: the fake has checked its shape.
  const { messages = [], tool_choice } = JSON.parse(raw) as {
    readonly messages?: readonly Said[]
    readonly tool_choice?: { readonly type?: string }
  }
  const at = messages.findLastIndex((message) => asking(message, story) !== null)
  const found = story.exec(messages[at] ? (asking(messages[at], story) ?? '') : '')
  if (!found) return null
  const round = messages.slice(at).filter(({ role }) => role === 'assistant').length
  return { found, round, turn: messages.length, mayCall: tool_choice?.type !== 'none' }
}
