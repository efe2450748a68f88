// The Messages API of the bench, in a process of its own so that it shares no event loop with the client. It answers
// at once, and asks for tools as many rounds as the message says: `TOOLS 4`.

import { startMessagesApi } from '../../test/fakes/messages-api.ts'

import type { Asked, Reply } from '../../test/fakes/messages-wire.ts'

const ANSWER = 'A few words, in a handful of deltas, so that there is a stream to follow.'

interface Asking {
  readonly system?: unknown
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

function said(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** Satchel's tools where the system prompt lists skills, else the bare Worker's one. */
function toolCall(round: number, system: string, raw: string): Reply {
  const name = /<name>([^<]+)<\/name>/.exec(system)?.[1]
  const location = /<location>([^<]+)<\/location>/.exec(system)?.[1]
  const id = `toolu_${round}`
  const call = (tool: string, input: object): Reply => ({
    content: [
      { type: 'text', text: `Step ${round + 1}.` },
      { type: 'tool_use', id, name: tool, input },
    ],
  })
  if (name === undefined || location === undefined) return call('note', { word: `word ${round}` })
  if (round === 0) return call('load_skill', { name })
  const file = /<file>([^<]+)<\/file>/.exec(raw)?.[1] ?? 'SKILL.md'
  return call('read_file', { path: location.replace('SKILL.md', file), start_line: round })
}

function answer(asked: Asked): Reply {
  // The bench's own servers ask.
  const { messages, system } = JSON.parse(asked.raw) as Asking
  const start = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !said(content).includes('"tool_result"'),
  )
  const rounds = Number(/TOOLS (\d+)/.exec(said(messages[start]?.content))?.[1] ?? 0)
  const round = messages.slice(start).filter(({ role }) => role === 'assistant').length
  if (round < rounds) return toolCall(round, typeof system === 'string' ? system : said(system), asked.raw)
  return { content: [{ type: 'text', text: ANSWER }] }
}

const api = await startMessagesApi(answer, { port: Number(process.argv[2] ?? 0), strict: false })
process.send?.({ url: api.url })
process.on('disconnect', () => process.exit(0))
