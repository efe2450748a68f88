// Guards "what the model said is sent back byte for byte" and "reported usage is charged" for searches that the
// provider makes: their blocks are kept verbatim, and their number is taken from the usage.
import type { WebSearchTool20260318 } from '@anthropic-ai/sdk/resources/messages'
import { describe, expect, it } from 'vitest'
import { costOf } from '../../../src/agent/cost.ts'
import { KNOWN_MODELS } from '../../../src/model/prices.ts'
import { SERVER_SEARCH } from '../../../src/tools/web/server-search.ts'
import { cited, failedSearch, found, searching } from '../../fakes/server-search.ts'
import { callReply, faultOf, messageOf, REQUEST } from './helpers.ts'

const CONTENT = [
  { type: 'text', text: 'I look it up.' },
  searching('srvtoolu_1', 'the weather in "Bern" today'),
  found('srvtoolu_1', 'https://a.example/', 'https://b.example/'),
  searching('srvtoolu_2', 'more'),
  failedSearch('srvtoolu_2'),
  cited('Rain.', 'https://a.example/'),
]

describe('a search by the model itself', () => {
  it('is requested by a tool of the SDK’s types, unchanged in the request', async () => {
    const { exchanges } = await callReply({ content: CONTENT }, { ...REQUEST, tools: [SERVER_SEARCH] })
    const tools = [
      { type: 'web_search_20260318', name: 'web_search', max_uses: 5, allowed_callers: ['direct'] },
    ] satisfies WebSearchTool20260318[]
    expect(JSON.parse(exchanges[0]?.raw ?? '')).toMatchObject({ tools })
  })

  it.each([1, 7, undefined])(
    'is read verbatim from the stream, in chunks of %s bytes',
    async (chunkBytes) => {
      const { outcome, deltas } = await callReply({
        content: CONTENT,
        deltaChars: 3,
        ...(chunkBytes === undefined ? {} : { chunkBytes }),
      })
      const { content, stop, usage } = messageOf(outcome)
      expect(JSON.stringify(content)).toBe(JSON.stringify(CONTENT))
      expect(stop).toBe('end_turn')
      expect(usage).toMatchObject({ input_tokens: 25, output_tokens: 7, web_search_requests: 1 })
      expect(deltas.map(({ text }) => text).join('')).toBe('I look it up.Rain.')
    },
  )

  it('counts as far as it was received when the answer breaks off', async () => {
    const { outcome } = await callReply({ content: CONTENT, cutAfter: 20 })
    expect(faultOf(outcome).usage).toMatchObject({ input_tokens: 25, web_search_requests: 1 })
    const begun = await callReply({ content: CONTENT, cutAfter: 8 })
    expect(faultOf(begun.outcome).usage).toMatchObject({ web_search_requests: 1 })
  })

  it.each([-1, 1.5, 'many', 1e15])(
    'is not counted if the number is %s: the usage is refused',
    async (bad) => {
      const last = { output_tokens: 1, server_tool_use: { web_search_requests: bad } }
      const { outcome } = await callReply({ content: CONTENT, usage: { last } })
      expect(faultOf(outcome)).toMatchObject({ reason: 'bad_response' })
    },
  )

  it('is omitted from a usage without searches', async () => {
    const last = { output_tokens: 1, server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 } }
    for (const usage of [{ last }, { last: { output_tokens: 1, server_tool_use: null } }]) {
      const { outcome } = await callReply({ content: [{ type: 'text', text: 'Hi.' }], usage })
      expect(messageOf(outcome).usage).not.toHaveProperty('web_search_requests')
    }
  })

  it('costs a cent', () => {
    const [facts] = KNOWN_MODELS
    const tokens = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      web_search_requests: 3,
    }
    expect(facts && costOf(facts, tokens)).toBeCloseTo(0.03, 10)
  })
})
