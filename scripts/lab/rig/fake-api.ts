// The Messages API of the bench, in its own process, so that it shares no event loop with the client. Answers at
// once, and calls tools for as many rounds as the message says: `TOOLS 4`. `CALL grep {…} END` calls that tool,
// `CALL bash [{…}, {…}] END` several times, one after the other; `STEPS [{name, input}, …] END` makes each call in a step of its own.

import { startMessagesApi } from '../../../test/fakes/messages-api.ts'
import { serveParent } from './model-api.ts'

import type { ModelRequest, Reply } from '../../../test/fakes/messages-wire.ts'

const ANSWER = 'A few words, in a handful of deltas, so that there is a stream to follow.'

/** Satchel's tools if the system prompt lists skills, else the bare Worker's one. */
function toolCall(round: number, raw: string): Reply {
  const name = /<name>([^<]+)<\/name>/.exec(raw)?.[1]
  const location = /<location>([^<]+)<\/location>/.exec(raw)?.[1]
  const id = `toolu_${round}`
  const call = (tool: string, input: object): Reply => ({
    content: [
      { type: 'text', text: `Step ${round + 1}.` },
      { type: 'tool_use', id, name: tool, input },
    ],
  })
  // As long as what Satchel gets, so that both read the same stream.
  if (name === undefined || location === undefined)
    return call('note', { path: '/mnt/skills/public/a-skill/references/a-file.md', start_line: round })
  if (round === 0) return call('load_skill', { name })
  const file = /<file>([^<]+)<\/file>/.exec(raw)?.[1] ?? 'SKILL.md'
  return call('read_file', { path: location.replace('SKILL.md', file), start_line: round })
}

/** The last message is a user's, which names a tool and its input. */
function namedCall(raw: string): Reply | null {
  const position = raw.lastIndexOf('CALL ')
  if (position === -1 || raw.indexOf('"tool_result"', position) !== -1) return null
  // It is inside a JSON string.
  const call = /^CALL (\w+) (\{.*?\}|\[.*?\]) END/.exec(raw.slice(position))
  if (!call) return null
  const [, name = '', input = ''] = call
  const parsed: unknown = JSON.parse(String(JSON.parse(`"${input}"`)))
  // The benchmark writes one object or a list of objects.
  const inputs = (Array.isArray(parsed) ? parsed : [parsed]) as readonly object[]
  return {
    content: inputs.map((one, ord) => ({
      type: 'tool_use',
      id: `toolu_${raw.length}_${ord}`,
      name,
      input: one,
    })),
  }
}

/** The next of the calls that the last message of a user lists. */
function listedCall(raw: string): Reply | null {
  const position = raw.lastIndexOf('STEPS ')
  const listed = position === -1 ? null : /^STEPS (\[.*?\]) END/.exec(raw.slice(position))
  if (!listed) return null
  const calls: unknown = JSON.parse(String(JSON.parse(`"${listed[1]}"`)))
  const step = raw.slice(position).split('"tool_result"').length - 1
  // The benchmark writes such a list.
  const call = (calls as readonly { readonly name: string; readonly input: object }[])[step]
  return call ? { content: [{ type: 'tool_use', id: `toolu_${raw.length}`, ...call }] } : null
}

/** Decides by a few text searches: parsing a long history would count as the API's time. */
function answer({ raw }: ModelRequest): Reply {
  const finalAnswer: Reply = { content: [{ type: 'text', text: ANSWER }] }
  const named = namedCall(raw) ?? listedCall(raw)
  if (named) return named
  const position = raw.lastIndexOf('TOOLS ')
  if (position === -1 || raw.indexOf(ANSWER, position) !== -1) return finalAnswer
  const rounds = Number(/\d+/.exec(raw.slice(position, position + 10))?.[0] ?? 0)
  const callsSoFar = raw.slice(position).split('"tool_result"').length - 1
  return callsSoFar < rounds ? toolCall(callsSoFar, raw) : finalAnswer
}

const api = await startMessagesApi(answer, { port: Number(process.argv[2] ?? 0), strict: false })
serveParent(api.url, () => ({ requests: api.exchanges.length, last: api.exchanges.at(-1)?.raw ?? '' }))
