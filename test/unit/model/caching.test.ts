// Guards prompt caching: each step reads from the provider's cache what the previous step wrote, however many calls it
// makes, so that a conversation is billed once plus what is new.

import { describe, expect, it } from 'vitest'
import type { ApiMessage, Block } from '../../../src/agent/message.ts'
import { anthropicModel } from '../../../src/model/anthropic.ts'
import { requestBody } from '../../../src/model/request.ts'
import { PromptCache } from '../../fakes/messages-cache.ts'
import { checkExtends } from '../../fakes/messages-oracle.ts'
import { fakeFetch, type Reply } from '../../fakes/messages-wire.ts'
import { API_KEY, REQUEST, callOnce, messageOf } from './helpers.ts'

const SYSTEM = 'You are a test with a long prompt. '.repeat(300)
const repeated = (about: string, times = 30): string => `${about} `.repeat(times)

const say = (more: Partial<Extract<Reply, { content: unknown }>> = {}): Reply => ({
  content: [{ type: 'text', text: repeated('An answer.') }],
  ...more,
})

function calls(count: number, step: number): Reply {
  const content = Array.from({ length: count }, (_, at) => ({
    type: 'tool_use',
    id: `t${step}_${at}`,
    name: 'read_file',
    input: { path: repeated(`/file/${at}`, 5) },
  }))
  return say({ content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }, ...content] })
}

const results = (content: readonly Block[]): readonly Block[] =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: repeated('A line.', 20) }))

interface Bill {
  readonly prompt: number
  readonly read: number
  readonly written: number
  readonly uncached: number
}

/**
 * What each request of a conversation was billed. `next`: what follows an answer, which may be sent together with other
 * messages.
 */
async function bills(
  replies: readonly Reply[],
  next: (content: readonly Block[], step: number) => readonly ApiMessage[],
): Promise<readonly Bill[]> {
  const { fetch, recorder } = fakeFetch(replies, true)
  const model = anthropicModel({ apiKey: API_KEY, baseUrl: 'http://fake.test', fetch })
  let messages: readonly ApiMessage[] = [{ role: 'user', content: [{ type: 'text', text: repeated('Go.') }] }]
  const billed: Bill[] = []
  for (const step of replies.keys()) {
    const { content, usage } = messageOf(
      (await callOnce(model, { ...REQUEST, system: SYSTEM, messages })).outcome,
    )
    if (usage === null) throw new Error('the fake bills each answer')
    const {
      input_tokens: uncached,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    } = usage
    billed.push({ prompt: uncached + read + written, read, written, uncached })
    messages = [...messages, { role: 'assistant', content }, ...next(content, step)]
  }
  checkExtends(recorder.exchanges)
  return billed
}

const answered = (content: readonly Block[]): readonly ApiMessage[] => [
  { role: 'user', content: results(content) },
]

/**
 * Everything up to the last breakpoint of the previous request is read from the cache, and only new content is paid
 * for.
 */
function expectReadOn(billed: readonly Bill[]): void {
  expect(billed.length).toBeGreaterThan(1)
  for (const [at, { prompt, read, written, uncached }] of billed.entries()) {
    const before = billed[at - 1]
    if (!before) continue
    expect(read, `request ${at} reads`).toBe(before.read + before.written)
    expect(written + uncached, `request ${at} pays`).toBe(prompt - before.prompt)
    expect(uncached, `request ${at} leaves unwritten`).toBe(0)
  }
}

describe('a conversation', () => {
  it.each([1, 10, 20, 40])('of six steps with %i calls each is billed once', async (count) => {
    const replies = Array.from({ length: 6 }, (_, step) => calls(count, step))
    expectReadOn(await bills(replies, answered))
  })

  it('of several runs with long messages is billed once', async () => {
    const long = Array.from({ length: 60 }, (_, at) => ({ type: 'text', text: repeated(`Part ${at}.`, 10) }))
    const replies = [calls(40, 0), say(), calls(30, 2), say(), say()]
    expectReadOn(
      await bills(replies, (content) =>
        results(content).length > 0 ? answered(content) : [{ role: 'user', content: long }],
      ),
    )
  })

  it('whose run was cancelled before the model answered its calls is billed once', async () => {
    const replies = [calls(10, 0), calls(40, 1), say(), say()]
    const requested: ApiMessage = { role: 'user', content: [{ type: 'text', text: repeated('Never mind.') }] }
    expectReadOn(
      await bills(replies, (content) => [
        ...(results(content).length > 0 ? answered(content) : []),
        requested,
      ]),
    )
  })

  it('with pauses is billed once', async () => {
    const pause = say({ stop: 'pause_turn' })
    const replies = [calls(40, 0), pause, pause, say()]
    expectReadOn(await bills(replies, (content) => (results(content).length > 0 ? answered(content) : [])))
  })
})

describe('breakpoints', () => {
  const text = (content: string): Block => ({ type: 'text', text: content })
  const marks = (messages: readonly ApiMessage[]): string[] =>
    (requestBody({ ...REQUEST, messages }).messages as unknown as ApiMessage[]).flatMap(({ content }, at) =>
      content.flatMap((block, part) => ('cache_control' in block ? [`${at}.${part}`] : [])),
    )

  it('are at most four, and none is on a block that cannot have one', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' }
    const turn = (at: number): ApiMessage[] => [
      { role: 'user', content: [text('a'), text(`b${at}`)] },
      { role: 'assistant', content: [text('c'), thinking] },
    ]
    expect(marks([...turn(0), ...turn(1), ...turn(2), ...turn(3)])).toEqual(['4.1', '6.1'])
    expect(marks([...turn(0), { role: 'assistant', content: [text('more')] }])).toEqual(['0.1', '1.0'])
    expect(marks([{ role: 'user', content: [text('first')] }])).toEqual([])
    expect(marks([])).toEqual([])
  })

  it('beyond four are refused by the scripted API, as by the real one, and short prompts are not cached', () => {
    const cache = new PromptCache()
    const marked = { ...text('x'), cache_control: { type: 'ephemeral' } }
    const ask = (content: readonly Block[]): string =>
      JSON.stringify({ messages: [{ role: 'user', content }] })
    expect(cache.bill(ask(Array(5).fill(marked)))).toContain('Found 5')
    expect(cache.bill(ask(Array(4).fill(marked)))).toMatchObject({ cache_creation_input_tokens: 0 })
  })

  it('look back twenty blocks in the scripted API and no further', () => {
    const block = (at: number): Block => text(`${at} ${'x'.repeat(5_000)}`)
    const upTo = (count: number): string => {
      const content = Array.from({ length: count }, (_, at) => block(at))
      return JSON.stringify({ cache_control: {}, messages: [{ role: 'user', content }] })
    }
    for (const [more, reads] of [
      [19, true],
      [20, false],
    ] as const) {
      const cache = new PromptCache()
      cache.bill(upTo(5))
      const first = cache.bill(upTo(5 + more))
      expect(typeof first === 'object' && first.cache_read_input_tokens > 0).toBe(reads)
      const second = cache.bill(upTo(5 + more))
      expect(second).toMatchObject({ cache_creation_input_tokens: 0, input_tokens: 0 })
    }
  })
})
