// The Messages API of the benchmarks, in its own process, so that it shares no event loop with the client. It responds
// immediately, and calls tools for as many rounds as the message says: `TOOLS 4`. `CALL grep {…} END` calls that tool,
// `CALL bash [{…}, {…}] END` several times in sequence, and `STEPS [{name, input}, …] END` makes each call in its own
// step.

import { startMessagesApi } from '../../../test/fakes/messages-api.ts'
import { serveParent } from './model-api.ts'

import type { ModelRequest, Reply } from '../../../test/fakes/messages-wire.ts'

const ANSWER = 'A few words, in a handful of deltas, so that there is a stream to follow.'

/** Calls one of Satchel's tools if the system prompt lists skills, otherwise the bare Worker's tool. */
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
  // As long as the call for Satchel, so that both read the same stream.
  if (name === undefined || location === undefined)
    return call('note', { path: '/mnt/skills/public/a-skill/references/a-file.md', start_line: round })
  if (round === 0) return call('load_skill', { name })
  const file = /<file>([^<]+)<\/file>/.exec(raw)?.[1] ?? 'SKILL.md'
  return call('read_file', { path: location.replace('SKILL.md', file), start_line: round })
}

/** The call that the last message requests; null if it requests none. */
function namedCall(raw: string): Reply | null {
  const position = raw.lastIndexOf('CALL ')
  if (position === -1 || raw.indexOf('"tool_result"', position) !== -1) return null
  // The call is inside a JSON string.
  const call = /^CALL (\w+) (\{.*?\}|\[.*?\]) END/.exec(raw.slice(position))
  if (!call) return null
  const [, name = '', input = ''] = call
  const parsed: unknown = JSON.parse(String(JSON.parse(`"${input}"`)))
  // The cast is safe: the benchmark sends one object or a list of objects.
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

/** The next of the calls that the last user message lists. */
function listedCall(raw: string): Reply | null {
  const position = raw.lastIndexOf('STEPS ')
  const listed = position === -1 ? null : /^STEPS (\[.*?\]) END/.exec(raw.slice(position))
  if (!listed) return null
  const calls: unknown = JSON.parse(String(JSON.parse(`"${listed[1]}"`)))
  const step = raw.slice(position).split('"tool_result"').length - 1
  // The cast is safe: the benchmark sends such a list.
  const call = (calls as readonly { readonly name: string; readonly input: object }[])[step]
  return call ? { content: [{ type: 'tool_use', id: `toolu_${raw.length}`, ...call }] } : null
}

/** Uses only a few text searches, because the time for parsing a long history would count as the API's. */
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
