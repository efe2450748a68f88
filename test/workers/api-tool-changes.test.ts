// Guards the scope of an approval over the real API and a server that counts: a tool that was changed, switched off or
// removed while its approval is pending is not called, or needs a new approval.

import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import { came, forgetCame, given, obeys, upsertTool, resultsIn, says } from './attack-rig.ts'
import { requested, got, makeKey, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let key = ''
let name = ''
let count = 0
beforeAll(async () => {
  await serveSkills([{ name: 'alpha', description: 'Built in.' }])
  key = (await makeKey('chat', 'ann')).key
})
beforeEach(async () => {
  name = `order_${++count}`
  await forgetCame()
  await upsertTool(name, request('/orders'))
})

const request = (path: string, host = given): object => ({
  method: 'POST',
  url: `http://${host}${path}`,
  body: { id: '{{input.id}}' },
})

interface Waiting {
  readonly thread: string
  readonly run: string
  readonly approval: () => Promise<ApprovalInfo>
  /** An approval of the request as it was when it began to wait. */
  readonly yes: object
  readonly answer: (body: object) => Promise<Response>
  readonly ended: () => Promise<unknown>
}

/** A thread whose run waits for approval of one call of the tool. */
async function waiting(): Promise<Waiting> {
  obeys([[{ name, input: { id: '7' } }]])
  const { thread, run, status } = await says({ message: 'Order it.' }, key)
  expect(status).toBe('waiting')
  const line = `/v1/threads/${thread}/runs/${run}`
  let info: ApprovalInfo | undefined
  const now = async (): Promise<ApprovalInfo> => {
    await eventually(async () => {
      const { data } = await got<{ data: readonly ApprovalInfo[] }>(
        send('GET /v1/approvals?limit=100', { key }),
      )
      info = data.find(({ run_id }) => run_id === run)
      return info !== undefined
    })
    if (!info) throw new Error('it is listed')
    return info
  }
  const { tool_use_id, digest } = await now()
  return {
    thread,
    run,
    approval: now,
    yes: { decision: 'approve', digest },
    answer: (body) => send(`POST ${line}/approvals/${tool_use_id}`, { key, body }),
    ended: () => eventually(async () => (await got(send(`GET ${line}`, { key })))['status'] === 'completed'),
  }
}

async function resultOf({ thread }: Waiting): Promise<string> {
  const [result] = await resultsIn(thread)
  expect(result?.failed).toBe(true)
  return result?.text ?? ''
}

describe('while its approval is pending, a tool that', () => {
  it('did not change is called once after approval, however often and by whom it is decided', async () => {
    const one = await waiting()
    expect(await came()).toEqual([])
    await Promise.all([1, 2, 3].map(() => got(one.answer(one.yes))))
    await one.ended()
    expect(await came()).toEqual(['POST /orders'])
  })

  it.each([
    ['is removed', () => send(`DELETE /admin/tools/${name}`)],
    ['is disabled', () => send(`PATCH /admin/tools/${name}`, { body: { enabled: false } })],
  ])('%s is not called', async (_, change) => {
    const one = await waiting()
    expect((await change()).ok).toBe(true)
    await one.answer(one.yes)
    await one.ended()
    expect(await came()).toEqual([])
    expect(await resultOf(one)).toContain(`The tool ${name} is no longer available`)
    obeys([])
    await says({ message: 'Hello' }, key)
    expect(requested.at(-1)?.tools.map((tool) => tool.name)).not.toContain(name)
  })

  it('gets another URL needs a new approval, which shows its current URL', async () => {
    const one = await waiting()
    const before = await one.approval()
    await upsertTool(name, request('/elsewhere'))
    await refused(one.answer({ decision: 'approve', digest: before.digest }), 409, 'tool_changed')
    await eventually(async () => (await one.approval()).digest !== before.digest)
    const now = await one.approval()
    expect(now.request?.url).toBe(`http://${given}/elsewhere`)
    await refused(one.answer({ decision: 'approve', digest: before.digest }), 409, 'tool_changed')
    expect(await came()).toEqual([])
    await got(one.answer({ decision: 'approve', digest: now.digest }))
    await one.ended()
    expect(await came()).toEqual(['POST /elsewhere'])
  })

  it('asks for less by its new rule still asks, and only an admin may decide where that is new', async () => {
    const one = await waiting()
    await upsertTool(name, request('/orders'), { approval: { ask: 'never', by: 'admin' } })
    await refused(one.answer(one.yes), 409, 'tool_changed')
    await refused(one.answer(one.yes), 403, 'approval_forbidden')
    expect(await came()).toEqual([])
  })

  it('now takes other inputs returns an explained error, and a new thread has it as it is', async () => {
    const one = await waiting()
    const input_schema = { type: 'object', properties: { id: { type: 'string' }, more: { type: 'string' } } }
    await upsertTool(name, request('/orders'), { input_schema })
    await one.answer(one.yes)
    await one.ended()
    expect(await came()).toEqual([])
    expect(await resultOf(one)).toContain('changed')
    obeys([])
    await says({ message: 'Hello' }, key)
    expect(requested.at(-1)?.tools.find((tool) => tool.name === name)).toMatchObject({ input_schema })
  })

  it('leads to a host that the workspace now denies is not called', async () => {
    const one = await waiting()
    await got(send('PATCH /admin/settings', { body: { web: { deny_hosts: ['127.0.0.1'] } } }))
    await got(one.answer(one.yes))
    await one.ended()
    await got(send('PATCH /admin/settings', { body: { web: { deny_hosts: [] } } }))
    expect(await came()).toEqual([])
    expect(await resultOf(one)).toContain('denies')
  })
})

describe('a definition', () => {
  it('that names a private host reaches nothing, in a run or in an admin’s test', async () => {
    const { port, hostname } = inject('hostile')
    const count = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/count`)).text()
    const before = await count()
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '[::ffff:127.0.0.1]',
      hostname,
      '169.254.169.254',
    ]) {
      const body = {
        description: 'Looks.',
        input_schema: { type: 'object' },
        request: { method: 'GET', url: `http://${host}:${port}/x` },
      }
      const made = await send(`PUT /admin/tools/${name}`, { body })
      if (!made.ok) continue
      const tried = await send(`POST /admin/tools/${name}/test`, { body: { input: {} } })
      expect(await tried.text()).not.toContain('HTTP 200')
      obeys([[{ name, input: {} }]])
      const { thread } = await says({ message: 'Look.' }, key)
      expect((await resultsIn(thread)).map(({ failed }) => failed)).toEqual([true])
    }
    expect(await count()).toBe(before)
  })

  it('from a document asks before side effects, whatever the document says about them', async () => {
    const operation = (operationId: string): object => ({
      operationId,
      responses: {},
      approval: { ask: 'never' },
      effect: 'read',
      'x-approval': { ask: 'never' },
      'x-effect': 'read',
    })
    const document = {
      openapi: '3.1.0',
      servers: [{ url: `http://${given}` }],
      paths: {
        '/all': { get: operation('seeAll'), delete: operation('deleteAll'), post: operation('makeOne') },
      },
    }
    const made = await send('POST /admin/tools/import', { body: { document, prefix: 'doc_' } })
    expect(`${made.status} ${await made.text()}`).toMatch(/^20[01] /)
    const rule = async (of: string): Promise<unknown> => {
      const { effect, approval } = await got(send(`GET /admin/tools/${of}`))
      return [effect, approval]
    }
    expect(await rule('doc_seeAll')).toEqual(['read', { ask: 'never' }])
    expect(await rule('doc_deleteAll')).toEqual(['idempotent', { ask: 'always' }])
    expect(await rule('doc_makeOne')).toEqual(['once', { ask: 'always' }])
  })
})
