// Guards "a guardrail decides before a call": what it is told, and what each of its answers does to a call.

import { describe, expect, it } from 'vitest'
import type { GuardedResponse, FetchFailure, GuardedFetch, Outgoing } from '../../../src/net/fetch.ts'
import { askGuardrail, type GuardedCall } from '../../../src/thread/approvals/guardrail.ts'

const CALL: GuardedCall = {
  tool: 'create_ticket',
  input: { title: 'Disk full' },
  effect: 'once',
  untrusted: ['hook'],
  workspace: 'default',
  thread_id: 'th_1',
  run_id: 'run_1',
  tool_use_id: 'tu_1',
  user: 'ann',
}

function answering(
  body: string | null,
  status = 200,
): { readonly net: GuardedFetch; readonly sent: Outgoing[] } {
  const sent: Outgoing[] = []
  const url = 'https://guard.example.com/'
  const failure: FetchFailure = { code: 'timeout', detail: 'No answer within 5 s.', sent: true }
  const answer = (text: string): GuardedResponse => ({
    status,
    url,
    headers: {},
    body: new TextEncoder().encode(text),
    cut: false,
  })
  const net: GuardedFetch = async (request) => {
    sent.push(request)
    return body === null ? { ok: false, error: failure } : { ok: true, value: answer(body) }
  }
  return { net, sent }
}

async function judged(body: string | null, status = 200, failure: 'deny' | 'allow' = 'deny') {
  const { net } = answering(body, status)
  return askGuardrail(net, 'https://guard.example.com/', failure, CALL, new AbortController().signal)
}

describe('a guardrail', () => {
  it('gets the facts of the call and nothing else', async () => {
    const { net, sent } = answering('{"allow":true}')
    await askGuardrail(net, 'https://guard.example.com/', 'deny', CALL, new AbortController().signal)
    expect(sent.map(({ method, url, body }) => [method, url, JSON.parse(body ?? '')])).toEqual([
      ['POST', 'https://guard.example.com/', CALL],
    ])
  })

  it('that allows lets the call through', async () => {
    expect(await judged('{"allow":true,"more":1}')).toEqual({ do: 'allow' })
  })

  it('that denies is reported to the model with its reasons, without invisible characters', async () => {
    expect(await judged('{"allow":false,"reasons":["no_tickets","at\\u200B night"]}')).toMatchObject({
      do: 'deny',
      message: expect.stringContaining('refused create_ticket (no_tickets, at night)'),
    })
  })

  it.each([
    ['no answer', null, 200],
    ['status 500', '{"allow":true}', 500],
  ])('that returns %s denies, unless the workspace says that it allows', async (_, body, status) => {
    expect((await judged(body, status)).do).toBe('deny')
    expect(await judged(body, status, 'allow')).toEqual({ do: 'allow' })
  })

  // The model could influence it by what it writes.
  it.each([
    ['a truncated refusal', `{"allow":false,"reasons":["${'refused '.repeat(3)}`, 200],
    ['status 413', '{"error":"too large"}', 413],
    ['status 422', '', 422],
    ['a redirect', '', 302],
    ['text that is not JSON', 'yes', 200],
    ['another shape', '{"decision":"allow"}', 200],
    ['a string', '{"allow":"true"}', 200],
  ])('that answers with %s denies, whatever the workspace says', async (_, body, status) => {
    expect((await judged(body, status)).do).toBe('deny')
    expect((await judged(body, status, 'allow')).do).toBe('deny')
  })
})
