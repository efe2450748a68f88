// Promise: the commands of docs/tour.md work as pasted: bash runs them in order against a fresh server.

import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Receipt } from '../../src/agent/events.ts'
import type { Page } from '../../src/thread/api.ts'

import { ADMIN_KEY, put, ROOT, startSatchel, temporary, type Satchel } from './satchel.ts'
import { bash, atomicBlocks } from './pasted.ts'
import { startTickets, type Tickets } from './tickets.ts'

let satchel: Satchel
let tickets: Tickets
/** Files that the tour writes are created here. It looks like this project, and consists of links into it. */
const folder = temporary()
beforeAll(async () => {
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name))
  tickets = await startTickets()
  rmSync(join(folder, 'examples'))
  put(join(folder, 'examples/create_ticket.json'), tickets.definition)
  satchel = await startSatchel({ args: tickets.args })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await satchel?.stop()
  await tickets?.stop()
})

const TOUR = 'docs/tour.md'
const tourBlocks = (): readonly string[] => atomicBlocks(readFileSync(join(ROOT, TOUR), 'utf8'))

test('works as pasted', async () => {
  const tour = tourBlocks()
    .filter((block) => !block.includes('create_ticket'))
    .join('\n')
  expect(tour, 'the tour still has its parts').toMatch(
    /api \/v1\/chat[\s\S]*chat -- --file[\s\S]*api \/admin\/skills[\s\S]*rollback[\s\S]*HOOK_URL/,
  )
  // The test replaces only the address and the key.
  const pasted = tour
    .replace(/^export SATCHEL_URL=.*$/m, `export SATCHEL_URL=${satchel.url}`)
    .replace(/^export SATCHEL_KEY=.*$/m, `export SATCHEL_KEY=${ADMIN_KEY}`)
  expect(pasted).not.toContain('8787')
  const { status, out } = await bash(pasted, folder)
  expect(status, out).toBe(0)
  expect(out, 'no request was refused').not.toContain('application/problem')
  expect(out).not.toMatch(/"status":4\d\d,"code"/)
  expect(out).toContain('event: run.completed')
  expect(out).toContain('| orders | integer | 10 | 0 | 10 | 12 | 110.50 | 104.30 | 134 | 1,043 |')
  expect(readFileSync(join(folder, 'out', 'sales-chart.svg'), 'utf8')).toMatch(
    /^<svg [\s\S]*<title id="chart-title">Revenue by month and region<\/title>[\s\S]*<\/svg>\n$/,
  )
  expect(out).toMatch(/"skills":\[\{"name":"release-notes"/)
  expect(out).toMatch(/"enabled":false[\s\S]*"enabled":true/)
  expect(out).toMatch(/"shareable":true[\s\S]*"\$schema"[\s\S]*"shareable":false/)
  expect(out).toMatch(/"via":"slash"/)
  expect(out).toMatch(/incident-report/)
  expect(out).toMatch(/^202 \{"delivery_id":/m)
})

test('its tool asks for approval, is called once, appears in the receipt, and can be removed for all', async () => {
  const block = tourBlocks().find((one) => one.includes('create_ticket'))
  const [service, add, chat, remove, ...more] = (block ?? '').trim().split('\n')
  // The service already runs, on a port of this test's own.
  expect(service).toBe('node examples/tickets.mjs 4010 &')
  expect(readFileSync(join(ROOT, TOUR), 'utf8')).toContain('npm start -- --allow-host 127.0.0.1:4010')
  expect(more).toEqual([])
  const line = async (text = ''): ReturnType<typeof bash> =>
    bash(`export SATCHEL_URL=${satchel.url} SATCHEL_KEY=${ADMIN_KEY}\n${text}`, folder)
  const added = await line(add)
  expect(added.status, added.out).toBe(0)
  // Nobody is at this terminal, so the command says how to answer later.
  const requested = await line(chat)
  expect(requested.status, requested.out).toBe(1)
  expect(requested.out).toMatch(
    /POST http:[^]*"title": "the printer on floor 2 is out of paper"[^]*is waiting for approval/,
  )
  expect(tickets.received()).toEqual([])
  const thread = /th_[a-z0-9]+/.exec(requested.out)?.[0] ?? ''
  const later = /npm run chat -- --thread \S+ --approve \S+ --digest \S+/.exec(requested.out)?.[0]
  const approved = await line(later)
  expect(approved.status, approved.out).toBe(0)
  expect(approved.out).toMatch(/create_ticket was called and returned:[^]*"state": "open"/)
  const again = await line(later)
  expect(again.status, again.out).toBe(1)
  expect(tickets.received()).toEqual([
    'ticket 1: {"source":"satchel","title":"the printer on floor 2 is out of paper"}',
  ])
  const runs = await satchel.client.json<Page<Receipt>>('GET', `/v1/threads/${thread}/runs`)
  expect(runs.ok && runs.value.body.data[0]?.approvals).toMatchObject([
    { decision: 'approve', by: 'key:admin' },
  ])
  // A thread with the tool loses it while it waits for the next approval.
  const waits = await line(chat)
  const removed = await line(remove)
  expect(removed.status, removed.out).toBe(0)
  const late = await line(/npm run chat -- --thread \S+ --approve \S+ --digest \S+/.exec(waits.out)?.[0])
  expect(late.out).toContain('no longer available')
  const fresh = await line(chat)
  expect(fresh.status, fresh.out).toBe(0)
  expect(fresh.out).not.toContain('create_ticket')
  expect(tickets.received()).toHaveLength(1)
})
