// Promise: without a person at the terminal, `npm run chat` does not hang when a call needs approval: it says what
// waits and how to decide it. A later decision counts only from someone who may make it, and for the request that was
// shown.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { ADMIN_KEY, finished, script, startSatchel, type Satchel } from './satchel.ts'
import { startTickets, type Tickets } from './tickets.ts'

let tickets: Tickets
let satchel: Satchel

beforeAll(async () => {
  tickets = await startTickets()
  satchel = await startSatchel({ args: tickets.args })
  const definition: unknown = JSON.parse(tickets.definition)
  const put = await satchel.client.json('PUT', '/admin/tools/create_ticket', definition)
  expect(put.ok).toBe(true)
})
afterAll(async () => {
  await satchel?.stop()
  await tickets?.stop()
})

async function chat(...args: readonly string[]): ReturnType<typeof finished> {
  return finished(script('chat.ts', [...args, '--url', satchel.url]))
}

const APPROVE = /--thread (\S+) --approve (\S+) --digest (\S+)/

test('a call that needs approval ends with status 1 and says how to decide it; a denial sends its note', async () => {
  const requested = await chat('Open a ticket: no sugar')
  expect(requested.status, requested.out).toBe(1)
  expect(requested.out).toContain('create_ticket is waiting for approval. Nothing was sent.')
  const [, thread = '', call = ''] = /--thread (\S+) --deny (\S+) /.exec(requested.out) ?? []
  const busy = await chat('And milk?', '--thread', thread)
  expect(busy.status).toBe(1)
  expect(busy.out).toMatch(/^409 thread_busy: /)
  const denied = await chat('--thread', thread, '--deny', call, '--note', 'Ask Ada first')
  expect(denied.status, denied.out).toBe(0)
  expect(denied.out).toMatch(/POST http:[^]*no sugar[^]*The note says: Ask Ada first/)
  expect(denied.out, 'what was shown before is not shown again').not.toContain('I am calling it')
  const [, digest = ''] = /--digest (\S+)/.exec(requested.out) ?? []
  const late = await chat('--thread', thread, '--approve', call, '--digest', digest)
  expect(late.status).toBe(1)
  expect(late.out).toContain('is waiting for you')
  expect(tickets.received()).toEqual([])
})

test('a call approved for the thread does not ask again', async () => {
  const before = tickets.received().length
  const requested = await chat('Open a ticket: no salt')
  const [, thread = '', call = '', digest = ''] = APPROVE.exec(requested.out) ?? []
  const yes = ['--thread', thread, '--approve', call, '--remember', 'thread', '--digest']
  const other = await chat(...yes, 'f'.repeat(64))
  expect(other.status, other.out).toBe(1)
  expect(other.out).toMatch(/no salt[^]*not the request that you reviewed/)
  const approved = await chat(...yes, digest)
  expect(approved.status, approved.out).toBe(0)
  const again = await chat('Open a ticket: no salt', '--thread', thread)
  expect(again.status, again.out).toBe(0)
  expect(tickets.received()).toHaveLength(before + 2)
})

test('a user who may not decide is refused with the reason', async () => {
  const requested = await chat('Open a ticket: no tea')
  const [, thread = '', call = '', digest = ''] = APPROVE.exec(requested.out) ?? []
  const made = await satchel.client.json<{ readonly key: string }>('POST', '/admin/keys', { role: 'chat' })
  const key = made.ok ? made.value.body.key : ''
  expect(key).not.toBe(ADMIN_KEY)
  const { status, out } = await chat('--thread', thread, '--approve', call, '--digest', digest, '--key', key)
  expect(status).toBe(1)
  expect(out).toContain('is waiting for you')
})

test('an incomplete decision is a usage error', async () => {
  const thread = ['--thread', 'th_1']
  const yes = ['--approve', 'a', '--digest', 'd']
  for (const args of [
    yes,
    [...thread, '--approve', 'a'],
    [...thread, ...yes, '--deny', 'b'],
    [...thread, ...yes, 'And a question?'],
    [...thread, ...yes, '--note', 'x'],
    [...thread, '--deny', 'a', '--remember', 'run'],
    [...thread, ...yes, '--remember', 'always'],
    ['hi', '--digest', 'x'],
    ['hi', '--note', 'x'],
  ]) {
    const { status, out } = await chat(...args)
    expect(status, args.join(' ')).toBe(2)
    expect(out).toContain('--approve ID')
  }
})
