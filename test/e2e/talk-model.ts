// A model that does what a keyword in the last message tells it to: only what the conversation tests need.

import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'

import type { ModelRequest, Reply } from '../fakes/messages-wire.ts'

const MARKDOWN = `# Findings

The **checkout** was down, see [the log](https://example.com/log).

| service | minutes |
|---|--:|
| checkout | 12 |
| 支付 | 3 |

1. first
2. second
   - inner

\`\`\`sh
echo done
\`\`\`
`

export interface TalkModel extends MessagesApi {
  /** Sends the rest of the last `held` answer. */
  release(): void
}

/** `slow`: a long answer; `held`: one that ends once it is released; `steps`: a plan; `choose`: a question with choices; `ticket`: a call that waits; `markdown`; `evil`; else an echo. */
export async function startTalkModel(): Promise<TalkModel> {
  let release = (): void => {}
  const hold = async (): Promise<void> => new Promise((resolve) => (release = resolve))
  const api = await startMessagesApi((requested) => reply(requested, hold))
  return { ...api, release: () => release() }
}

function reply(requested: ModelRequest, hold: () => Promise<void>): Reply {
  const { output, isAnswered } = lastOf(requested)
  const text = (words: string, pace: object = {}): Reply => ({
    content: [{ type: 'text', text: words }],
    ...pace,
  })
  if (isAnswered) return text('Done as you said.')
  const id = `toolu_${requested.raw.length}`
  if (output.includes('slow')) {
    const words = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ')
    return text(`First part.\n\n${words(0, 40)}\n\n${words(40, 400)}`, { deltaChars: 14, delayMs: 40 })
  }
  if (output.includes('held'))
    return text(`Held answer: ${'word '.repeat(60)}`, { hold: { at: 10, until: hold() } })
  if (output.includes('steps')) {
    const items = ['First', 'Second'].map((name) => ({ text: name, status: 'completed' }))
    return { content: [{ type: 'tool_use', id, name: 'write_todos', input: { items } }] }
  }
  if (output.includes('choose')) {
    const input = { kind: 'approach_choice', question: 'Which region?', options: ['Asia', 'Europe'] }
    return { content: [{ type: 'tool_use', id, name: 'ask_clarification', input }] }
  }
  if (output.includes('ticket'))
    return { content: [{ type: 'tool_use', id, name: 'create_ticket', input: { title: 'no paper' } }] }
  if (output.includes('markdown')) return text(MARKDOWN)
  if (output.includes('evil')) return text('\x1b[2J\x1b]0;owned\x07A &#x202e;B\n\n`\x1b[31mred`\n')
  return text(`You said ${JSON.stringify(output)}.`)
}

interface Output {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string }[]
}

/** The person's last message, and whether a tool has answered since. */
function lastOf({ raw }: ModelRequest): { readonly output: string; readonly isAnswered: boolean } {
  // The cast is safe: Satchel's adapter wrote the request.
  const { messages } = JSON.parse(raw) as { readonly messages: readonly Output[] }
  const blocks = messages.flatMap(({ role, content }) =>
    role === 'user' ? (typeof content === 'string' ? [{ type: 'text', text: content }] : content) : [],
  )
  return {
    output: blocks.findLast(({ type }) => type === 'text')?.text ?? '',
    isAnswered: blocks.at(-1)?.type === 'tool_result',
  }
}
