// Determines what a request to the model asks for: the user's newest message, if it belongs to a story. Pure.

interface MessageParam {
  readonly role?: unknown
  readonly content?: unknown
}

/** The user's text in this message; null if it contains results, or is from the model. */
function userText({ role, content }: MessageParam, story: RegExp): string | null {
  if (role !== 'user' || !Array.isArray(content)) return null
  // The cast is safe: Satchel's requests have this shape. Other requests contain no text.
  const blocks = content as readonly { readonly type?: unknown; readonly text?: unknown }[]
  if (blocks.some(({ type }) => type === 'tool_result')) return null
  return (
    blocks.map(({ text }) => (typeof text === 'string' ? text : '')).find((text) => story.test(text)) ?? ''
  )
}

export interface NewestRequest {
  /** The match of the story's pattern. */
  readonly match: RegExpExecArray
  /** Number of answers that the model has given since that message. */
  readonly round: number
  /** Unique for each request of a conversation. */
  readonly turn: number
  readonly mayCall: boolean
}

/** Null if the newest message does not belong to this story. */
export function newestRequest(raw: string, story: RegExp): NewestRequest | null {
  // The cast is safe: Satchel sent the request, and the fake has checked its shape.
  const { messages = [], tool_choice } = JSON.parse(raw) as {
    readonly messages?: readonly MessageParam[]
    readonly tool_choice?: { readonly type?: string }
  }
  const at = messages.findLastIndex((message) => userText(message, story) !== null)
  const match = story.exec(messages[at] ? (userText(messages[at], story) ?? '') : '')
  if (!match) return null
  const round = messages.slice(at).filter(({ role }) => role === 'assistant').length
  return { match, round, turn: messages.length, mayCall: tool_choice?.type !== 'none' }
}
