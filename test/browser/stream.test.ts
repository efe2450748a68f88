// What the page does with hostile words, lost connections and busy threads: a real browser, answers from a script.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { sharedSatchel } from '../e2e/shared.ts'
import { frame, FRAMES, message, RECEIPT, RUN } from '../unit/web/frames.ts'
import { ask, scripted as scriptedVisit, startBrowser, stream, type Answer } from './open.ts'

const satchel = sharedSatchel()
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

const scripted = async (fragment: string, answers: Record<string, Answer>) =>
  scriptedVisit(browser, satchel.url, fragment, answers)

it('shows markup in model text, skill names, files and errors as the text it is', async () => {
  const attack = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
  const text = `${attack}\n\n[go](javascript:window.pwned=1) and [docs](https://example.com/a)\n\n\`\`\`\n${attack}\n\`\`\``
  const receipt = { ...RECEIPT, model: attack, tools: [{ name: attack, calls: 1, errors: 0 }] }
  const bodies = [
    { type: 'run.started', model: attack, build: 'b', catalog_version: 1, demo: true },
    { type: 'skill.loaded', name: attack, category: 'custom', digest: attack, via: 'slash' },
    { type: 'tool.started', tool_use_id: 't', name: attack, input: { path: attack } },
    { type: 'thinking.delta', step: 1, block: 0, offset: 0, text: attack },
    { type: 'text.delta', step: 1, block: 1, offset: 0, text },
    { type: 'run.completed', stop_reason: 'answered', receipt },
  ] as const
  const events = bodies.map((body, at) => frame(at + 1, body))
  const { page, complaints } = await scripted('', { 'POST /v1/chat': async () => stream(events) })
  await ask(page, attack)
  await page.locator('.receipt').waitFor()
  expect(await page.locator('.answer p').first().textContent()).toBe(attack)
  expect(await page.locator('.answer pre').textContent()).toBe(attack)
  expect(await page.locator('.asked').textContent()).toBe(attack)
  expect(await page.locator('#log').locator('img, script, iframe').count()).toBe(0)
  const links = page.locator('#log a')
  expect(await links.count()).toBe(1)
  expect(await links.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  expect(complaints).toEqual([])
})

it('shows markup in the skill list and in thread titles as text', async () => {
  const attack = '<img src=x onerror="window.pwned=1">'
  const at = '2026-01-02T03:04:05.000Z'
  const skill = { name: attack, description: attack, category: 'custom', enabled: true, updated_at: at }
  const thread = { id: attack, title: attack, updated_at: at }
  const { page, complaints } = await scripted('', {
    'GET /v1/skills': async () => ({ json: { data: [skill], next_cursor: null } }),
    'GET /v1/threads': async () => ({ json: { data: [thread], next_cursor: null } }),
  })
  await page.locator('#skills summary').click()
  expect(await page.locator('#skills .name').textContent()).toBe(attack)
  expect(await page.locator('#skills p').textContent()).toBe(attack)
  expect(await page.locator('#threads a').textContent()).toBe(attack)
  expect(await page.locator('.idea strong').textContent()).toBe(attack)
  expect(await page.locator('#skills img, #threads img, #ideas img').count()).toBe(0)
  expect(complaints).toEqual([])
})

it('resumes a lost stream after the last frame it saw and shows the answer once', async () => {
  const resumed: (string | undefined)[] = []
  const { page, times } = await scripted('', {
    'POST /v1/chat': async () => stream(FRAMES.slice(0, 20)),
    [`GET /v1/threads/th_1/runs/${RUN}/events`]: async (request, before) => {
      resumed.push(request.headers()['last-event-id'])
      return before === 0 ? stream(FRAMES.slice(15, 45)) : stream(FRAMES.slice(45))
    },
  })
  await ask(page, 'What happened?')
  await page.locator('.receipt').waitFor()
  expect(resumed).toEqual(['20', '45'])
  expect(times.get('POST /v1/chat')).toBe(1)
  expect(await page.locator('.answer').allInnerTexts()).toEqual([
    'I load it 👋🏽 now.',
    'Report\n\nAll is well.',
  ])
  expect(await page.locator('.thought').textContent()).toBe('An outage: load the skill.')
})

it('follows what still runs when a busy thread is opened again', async () => {
  const running = { ...RECEIPT, status: 'running', stop_reason: null, ended_at: null, skills: [] }
  const { page } = await scripted('&t=th_1', {
    'GET /v1/threads/th_1/runs': async () => ({ json: { data: [running], next_cursor: null } }),
    'GET /v1/threads/th_1/messages': async () => {
      const asked = message('m_0', 'user', [{ type: 'text', text: 'Still there?' }])
      return { json: { data: [asked], next_cursor: null } }
    },
    [`GET /v1/threads/th_1/runs/${RUN}/events`]: async () => stream(FRAMES),
  })
  await page.locator('.receipt').waitFor()
  expect(await page.locator('.asked').allInnerTexts()).toEqual(['Still there?'])
  expect(await page.locator('.answer').last().innerText()).toBe('Report\n\nAll is well.')
})

it('cancels a run, keeps what was said and lets the person go on', async () => {
  let cancelled: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (cancelled = resolve))
  const receipt = { ...RECEIPT, status: 'cancelled', stop_reason: 'cancelled' } as const
  const end = frame(21, { type: 'run.cancelled', stop_reason: 'cancelled', receipt })
  const { page } = await scripted('', {
    'POST /v1/chat': async () => stream(FRAMES.slice(0, 20)),
    [`GET /v1/threads/th_1/runs/${RUN}/events`]: async () => asked.then(() => stream([end])),
    [`POST /v1/threads/th_1/runs/${RUN}/cancel`]: async () => {
      cancelled()
      return { json: receipt }
    },
  })
  await ask(page, 'A long one')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(await page.locator('.thought').textContent()).toBe('An outage: load t')
})

it('gives the words back when the message was refused, and says why', async () => {
  const detail = 'This thread answers another message.'
  const { page } = await scripted('', {
    'POST /v1/chat': async () => ({ status: 409, json: { status: 409, code: 'thread_busy', detail } }),
  })
  await page.getByLabel('Message').fill('one')
  await page.getByLabel('Message').press('Shift+Enter')
  await page.getByLabel('Message').pressSequentially('two')
  await page.getByLabel('Message').press('Enter')
  const problem = page.locator('#log .problem')
  await problem.waitFor()
  expect(await problem.innerText()).toContain(detail)
  expect(await page.getByLabel('Message').inputValue()).toBe('one\ntwo')
  expect(await page.locator('.turn').count()).toBe(0)
})
