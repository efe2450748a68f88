// Guards which tools a run may call: the lists of the workspace and the key apply to every call, whatever the model
// requests, and the list of callable tools agrees with them.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import { ADMIN_KEY, chat, foreignKey, got, modelReplies, send, serveSkills } from './api-fixture.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))
beforeEach(() => modelReplies())

let workspaces = 0

/** An admin of a separate workspace. */
function admin(): Promise<string> {
  workspaces += 1
  return foreignKey(`lists-${workspaces}`, 'admin', 'ann')
}

async function keyWith(key: string, tools: object): Promise<string> {
  const made = await got<{ key: string }>(
    send('POST /admin/keys', { key, body: { role: 'chat', tools } }),
    201,
  )
  return made.key
}

/** The outcome of one call of `ls` in a thread of this key. */
async function called(
  key: string,
  name = 'ls',
  input: object = { path: '/mnt/user-data' },
): Promise<Event | undefined> {
  modelReplies(({ messages }) =>
    messages.at(-1)?.content.some(({ type }) => type === 'tool_result')
      ? { text: 'Done.' }
      : { calls: [{ name, input }] },
  )
  const { events } = await chat({ message: 'Look.' }, { key })
  return events.find(({ type }) => type === 'tool.completed')
}

async function callable(key: string): Promise<readonly string[]> {
  const { data } = await got<{ data: { name: string }[] }>(send('GET /v1/tools', { key }))
  return data.map(({ name }) => name)
}

const refusedBy = (who: string) => ({
  is_error: true,
  preview: expect.stringContaining(`${who} does not allow the tool ls`),
})

describe('a tool', () => {
  it('that a key denies by name, or by its group, is not called with it', async () => {
    const key = await admin()
    for (const deny of [['ls'], ['files']]) {
      const narrow = await keyWith(key, { deny })
      expect(await called(narrow)).toMatchObject(refusedBy('this key'))
      expect(await callable(narrow)).not.toContain('ls')
    }
    expect(await called(await keyWith(key, { deny: ['bash'] }))).toMatchObject({ is_error: false })
  })

  it('that a key does not allow is not called with it', async () => {
    const key = await admin()
    expect(await called(await keyWith(key, { allow: ['skills'] }))).toMatchObject(refusedBy('this key'))
    expect(await called(await keyWith(key, { allow: ['ls'] }))).toMatchObject({ is_error: false })
  })

  it('that a workspace denies is called by nobody there, from the next call on', async () => {
    const key = await admin()
    expect(await called(key)).toMatchObject({ is_error: false })
    await got(send('PATCH /admin/settings', { key, body: { tools: { deny: ['ls'] } } }))
    expect(await called(key)).toMatchObject(refusedBy('this workspace'))
    expect(await callable(key)).not.toContain('ls')
    expect(await called(ADMIN_KEY)).toMatchObject({ is_error: false })
    await got(send('PATCH /admin/settings', { key, body: { tools: null } }))
    expect(await called(key)).toMatchObject({ is_error: false })
  })

  it('that is called repeatedly gets a remark and is finally refused, at the number set by an admin', async () => {
    await got(send('PATCH /admin/settings', { key: ADMIN_KEY, body: { tools: { calls_per_tool: 5 } } }))
    let at = 0
    modelReplies(() => {
      at += 1
      const path = `/mnt/user-data/outputs/${at}`
      return at <= 7 ? { calls: [{ name: 'ls', input: { path } }] } : { text: 'Done.' }
    })
    const { events } = await chat({ message: 'Look.', budget: { steps: 100 } })
    const completed = events.flatMap((event) => (event.type === 'tool.completed' ? [event.preview] : []))
    expect(completed.map((preview) => preview.includes('the limit is 5'))).toEqual([
      ...Array<boolean>(5).fill(false),
      true,
      true,
    ])
    expect(completed.map((preview) => preview.includes('after 5 calls it is refused')).indexOf(true)).toBe(2)
  })
})
