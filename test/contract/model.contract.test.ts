// The contract of the Model port, which every implementation must satisfy: the Messages API adapter over a real socket,
// and the demo model.

import { afterAll, describe, expect, it } from 'vitest'
import type { Model, ModelDelta, ModelRequest } from '../../src/agent/model.ts'
import { anthropicModel } from '../../src/model/anthropic.ts'
import { demoModel } from '../../src/model/demo-model.ts'
import { startMessagesApi } from '../fakes/messages-api.ts'
import { defaultScript } from '../fakes/messages-default.ts'

const SYSTEM = `<available_skills>
<skill>
<name>incident-report</name>
<description>Write incident reports and postmortems.</description>
<location>/mnt/skills/public/incident-report/SKILL.md</location>
<label>[built-in]</label>
</skill>
</available_skills>`

const REQUEST: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: SYSTEM,
  tools: ['load_skill', 'read_file'].map((name) => ({
    name,
    description: name,
    input_schema: { type: 'object' as const },
  })),
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Write an incident report' }] }],
  maxTokens: 1_024,
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

const api = await startMessagesApi(defaultScript({ words: 30 }))
afterAll(() => api.close())

const live = (): AbortSignal => new AbortController().signal
const implementations: readonly (readonly [string, Model])[] = [
  ['Messages API adapter', anthropicModel({ apiKey: 'test-key', baseUrl: api.url })],
  ['demo model', demoModel()],
]

describe.each(implementations)('%s', (_, model) => {
  it('returns a message whose text equals its deltas, in order', async () => {
    const deltas: ModelDelta[] = []
    const outcome = await model.call(REQUEST, (delta) => void deltas.push(delta), live())
    if (outcome.kind !== 'message') throw new Error(outcome.fault.detail)
    expect(deltas.length).toBeGreaterThan(1)
    for (const [block, { text }] of outcome.content.entries()) {
      const output = deltas.filter((delta) => delta.block === block).map((delta) => delta.text)
      expect(output.join('')).toBe(text ?? '')
    }
    expect(deltas.map((delta) => delta.block)).toEqual(
      deltas.map((delta) => delta.block).toSorted((a, b) => a - b),
    )
  })

  it('stops with tool_use exactly when it calls tools, each with its own ID', async () => {
    const calling = await model.call(REQUEST, () => undefined, live())
    if (calling.kind !== 'message') throw new Error(calling.fault.detail)
    expect(calling.stop).toBe('tool_use')
    const ids = calling.content.filter((block) => block.type === 'tool_use').map((block) => block['id'])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('calls no tool when tools are forbidden', async () => {
    const outcome = await model.call({ ...REQUEST, forbidTools: true }, () => undefined, live())
    if (outcome.kind !== 'message') throw new Error(outcome.fault.detail)
    expect(outcome.stop).toBe('end_turn')
    expect(outcome.content.some((block) => block.type === 'tool_use')).toBe(false)
  })

  it('reports usage in finite numbers', async () => {
    const outcome = await model.call(REQUEST, () => undefined, live())
    if (outcome.kind !== 'message') throw new Error(outcome.fault.detail)
    expect(outcome.usage?.input_tokens).toBeGreaterThan(0)
    expect(outcome.usage?.output_tokens).toBeGreaterThan(0)
    expect(Object.values(outcome.usage ?? { none: NaN }).every((value) => Number.isFinite(value))).toBe(true)
  })

  it('does not change its input', async () => {
    const request = frozen(structuredClone(REQUEST))
    const outcome = await model.call(request, () => undefined, live())
    expect(outcome.kind).toBe('message')
    expect(request).toEqual(REQUEST)
  })

  it("waits for a reader's promise before it sends the next delta", async () => {
    let busy = 0
    let most = 0
    const reader = async (): Promise<void> => {
      busy += 1
      most = Math.max(most, busy)
      await new Promise((resolve) => setImmediate(resolve))
      busy -= 1
    }
    await model.call(REQUEST, reader, live())
    expect(most).toBe(1)
  })

  it('does not start when it is already aborted', async () => {
    const deltas: ModelDelta[] = []
    const outcome = await model.call(REQUEST, (delta) => void deltas.push(delta), AbortSignal.abort())
    expect(outcome).toMatchObject({ kind: 'fault', fault: { reason: 'aborted', retry: 'never' } })
    expect(deltas).toEqual([])
  })

  it('ends soon when it is aborted, and shows nothing afterwards', async () => {
    const controller = new AbortController()
    const deltas: ModelDelta[] = []
    const outcome = await model.call(
      REQUEST,
      (delta) => {
        deltas.push(delta)
        controller.abort()
      },
      controller.signal,
    )
    expect(outcome).toMatchObject({ kind: 'fault', fault: { reason: 'aborted', retry: 'never' } })
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(deltas).toHaveLength(1)
  })

  it.each([
    [
      'throws',
      (): void => {
        throw new Error('reader broke')
      },
    ],
    ['rejects', (): Promise<void> => Promise.reject(new Error('reader broke'))],
  ])('returns a fault when the reader %s', async (_how, reader) => {
    const outcome = await model.call(REQUEST, reader, live())
    expect(outcome).toMatchObject({ kind: 'fault', fault: { reason: 'aborted' } })
  })

  it('serves parallel calls without mixing them', async () => {
    const alone = await model.call(REQUEST, () => undefined, live())
    const together = await Promise.all(
      Array.from({ length: 8 }, () => model.call(REQUEST, () => undefined, live())),
    )
    for (const outcome of together) expect(outcome).toEqual(alone)
  })
})
