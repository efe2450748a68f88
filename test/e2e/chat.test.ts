// Promise: the terminal client shows an answer as it arrives, and explains what is wrong if none does.
// readme: npm run chat

import { expect, test } from 'vitest'

import { randomToken } from '../../src/lib/ids.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { ADMIN_KEY, finished, script } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const QUESTION = 'Write an incident report: checkout was down for 12 minutes this morning.'

const satchel = sharedSatchel()

async function chat(
  ...args: readonly string[]
): Promise<{ readonly status: number | null; readonly out: string }> {
  return finished(script('chat.ts', args))
}

test('streams an answer with its skill, reads and receipt, and continues the thread', async () => {
  const first = await chat(QUESTION, '--url', satchel.url)
  expect(first.status, first.out).toBe(0)
  expect(first.out).toContain('✓ Loaded incident-report')
  expect(first.out).toMatch(/^✓ Read severity-levels\.md$/m)
  expect(first.out).toMatch(/^skills: incident-report · \d+ steps · [\d,]+ tokens · .* · catalog \d+/m)
  expect(first.out, 'no colors where there is no terminal').not.toMatch(/\p{Cc}(?<![\n\t])/u)
  const thread = /--thread (\S+)/.exec(first.out)?.[1] ?? ''
  const second = await chat('And the timeline?', '--thread', thread, '--url', satchel.url)
  expect(second.status, second.out).toBe(0)
  expect(second.out).toContain(thread)
  expect(second.out, 'what goes on is the same server').toContain(`--url ${satchel.url} --thread ${thread}`)
})

test('--last continues the newest thread of this user, and says so when there is none', async () => {
  const made = await satchel.client.json<{ key: string }>('POST', '/admin/keys', {
    role: 'chat',
    user: `last-${randomToken(8)}`,
  })
  if (!made.ok) throw new Error(JSON.stringify(made.error))
  const { key } = made.value.body
  const none = await chat('And then?', '--last', '--url', satchel.url, '--key', key)
  expect(none).toEqual({ status: 1, out: expect.stringContaining('You have no threads yet.') })
  const answered = await fetch(`${satchel.url}/v1/chat`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: QUESTION }),
  })
  // The response begins before the run ends.
  await answered.text()
  const thread = answered.headers.get('x-thread-id') ?? 'none'
  const second = await chat('And the timeline?', '--last', '--url', satchel.url, '--key', key)
  expect(second.status, second.out).toBe(0)
  expect(second.out).toContain(`--thread ${thread}`)
})

test('reads SATCHEL_URL and SATCHEL_KEY in place of the flags, and omits the URL from its hint', async () => {
  const env = { SATCHEL_URL: satchel.url, SATCHEL_KEY: ADMIN_KEY, ADMIN_KEY: 'of-another-server' }
  const ran = await finished(script('chat.ts', ['hi'], env))
  expect(ran.status, ran.out).toBe(0)
  expect(ran.out).toContain('continue: npm run chat -- --thread ')
  const flag = await finished(script('chat.ts', ['hi', '--key', 'of-another-server'], env))
  expect(flag.out).toMatch(/^401 unauthenticated: /)
})

test('shows the code of a refusal, and the command that starts a missing server', async () => {
  const refused = await chat('hi', '--url', satchel.url, '--key', 'not-the-key-of-this-server')
  expect(refused.status).toBe(1)
  expect(refused.out).toMatch(/^401 unauthenticated: [^]*--key/)
  const unknown = await chat('hi', '--url', satchel.url, '--thread', `th_${'0'.repeat(24)}`)
  expect(unknown.status).toBe(1)
  expect(unknown.out).toMatch(/^404 not_found: /)
  const nobody = await chat('hi', '--url', `http://127.0.0.1:${await freePort()}`)
  expect(nobody.status).toBe(1)
  expect(nobody.out).toContain('npm start')
})

test('exits with status 2 and the usage after a wrong command line', async () => {
  for (const args of [[], ['hi', '--urll', 'x'], ['hi', '--url', 'nonsense']]) {
    const { status, out } = await chat(...args)
    expect(status).toBe(2)
    expect(out).toContain('--url')
  }
})
