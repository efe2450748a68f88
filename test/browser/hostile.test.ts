// Promise: hostile text is inert wherever the page shows it. Each of 27 payloads is shown in 33 places of the real page
// under its real policy: no script runs, no request goes to another host, and no navigation happens.

import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import {
  message,
  RECEIPT,
  RUN,
  STARTED,
  ENDED,
  textDelta,
  toolStarted,
  toolDone,
} from '../unit/page/frames.ts'
import { threadInfo } from '../unit/page/ports.ts'
import { callsOf, waitingCall } from './hostile-calls.ts'
import { wrongs } from './hostile-faults.ts'
import { PAYLOADS } from './payloads.ts'
import { info } from './thread-files.ts'
import { agentTool, mcpServer, skill } from './walk-data.ts'
import {
  THREAD,
  box,
  complaints,
  never,
  button,
  log,
  scripted,
  type Answer,
  runOf,
  list,
  lists,
  satchel,
  type Answers,
} from './open.ts'

let page: Page
let foreign: string[] = []

afterEach(() => {
  expect(foreign).toEqual([])
  expect(new URL(page.url()).origin).toBe(new URL(satchel.url).origin)
})

const ALL = PAYLOADS.join('\n\n')
const COUNT = PAYLOADS.length

async function visitor(fragment: string, answers: Answers): Promise<Page> {
  foreign = []
  ;({ page } = await scripted(fragment, answers))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${satchel.url}/`) && !url.startsWith('blob:')) foreign.push(url)
  })
  page.on('dialog', (dialog) => {
    foreign.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => foreign.push(`popup: ${popup.url()}`))
  return page
}

/** A page with a completed run. */
async function requested(events: readonly EventBody[], more: Answers = {}): Promise<Page> {
  const page = await visitor('', {
    'POST /v1/chat': async () => runOf(...events),
    [`GET ${THREAD}/runs/${RUN}/events`]: never,
    ...more,
  })
  await box(page).fill(ALL)
  await button(page, 'Send').click()
  return page
}

it('in questions, thinking and answers, and in names of a model and a thread: 5 places', async () => {
  const page = await requested(
    [
      { type: 'thread.titled', title: ALL },
      { type: 'run.started', model: ALL, build: 'b', catalog_version: 1, demo: false },
      ...PAYLOADS.flatMap((text, at): EventBody[] => [
        { type: 'thinking.delta', step: at + 1, block: 0, offset: 0, text },
        textDelta(text, 0, at + 1),
      ]),
      ENDED,
    ],
    { [`GET ${THREAD}`]: async () => ({ json: threadInfo('th_1', { title: ALL, model: ALL }) }) },
  )
  await page.getByRole('button', { name: 'Good answer' }).waitFor()
  await expect.poll(async () => log(page).locator('.thought').count()).toBe(COUNT)
  await expect.poll(async () => log(page).locator('.prose:not(.question *)').count()).toBe(COUNT)
  expect(await wrongs(page)).toEqual([])
  await page.getByRole('button', { name: 'Model and limits' }).click()
  expect(await wrongs(page)).toEqual([])
})

it('in the name, input and result of calls in all forms, in skills and notes, failures and questions: 12 places', async () => {
  const error = { type: '', title: ALL, status: 500, code: ALL, detail: ALL, request_id: ALL } as const
  const page = await requested([
    STARTED,
    ...PAYLOADS.flatMap((text, at): EventBody[] => [
      { type: 'skill.loaded', name: text, category: 'custom', digest: text, via: 'slash' },
      toolStarted(`t${at}`, text, { path: text, [text]: text }),
      toolDone(`t${at}`, text, text, at % 2 === 0),
      toolStarted(`q${at}`, 'ask_clarification', { question: text, context: text, options: [text] }),
      { type: 'budget.warning', detail: text },
      ...callsOf(text, at),
    ]),
    {
      type: 'run.failed',
      stop_reason: 'model_error',
      // Text of the model's API, unchanged.
      error: error as never,
      receipt: { ...RECEIPT, status: 'failed', stop_reason: 'model_error', error: error as never },
    },
  ])
  await log(page).getByRole('alert').waitFor()
  await expect.poll(async () => log(page).locator('.asking').count()).toBe(COUNT)
  await expect.poll(async () => log(page).locator('details.step').count()).toBeGreaterThanOrEqual(2 * COUNT)
  expect(await wrongs(page)).toEqual([])
})

it('in an approval request and its reason, pending and decided: 2 places', async () => {
  const at = '2030-01-02T03:04:05.000Z'
  const page = await requested([
    { type: 'run.accepted', status: 'running' },
    ...PAYLOADS.flatMap((text, index): EventBody[] =>
      ['open', 'closed'].flatMap((which): EventBody[] => [
        toolStarted(`${which}${index}`, text, { text }),
        {
          type: 'approval.requested',
          tool_use_id: `${which}${index}`,
          name: text,
          input: { [text]: text },
          request: {
            kind: 'tool',
            method: text,
            url: text,
            headers: { [text]: text },
            body: text,
            notes: [text],
          },
          free: [text],
          reason: text,
          digest: 'd',
          expires_at: at,
        },
      ]),
    ),
    ...PAYLOADS.map((text, index): EventBody => {
      return { type: 'approval.decided', tool_use_id: `closed${index}`, decision: 'deny', by: text }
    }),
    { type: 'run.waiting', reason: 'approval', tool_use_ids: [], since: at, until: at, detail: '' },
  ])
  await page
    .getByRole('button', { name: 'Approve', exact: true })
    .nth(COUNT - 1)
    .waitFor()
  await expect.poll(async () => log(page).locator('.decided').count()).toBe(COUNT)
  expect(await wrongs(page)).toEqual([])
})

it('in the inbox, in calls of threads with hostile titles: 2 places', async () => {
  const page = await visitor('&inbox=', {
    'GET /v1/threads': lists(...PAYLOADS.map((title, at) => threadInfo(`th_${at}`, { title }))),
    'GET /v1/approvals': lists(...PAYLOADS.map(waitingCall)),
  })
  await button(page, 'Approve')
    .nth(COUNT - 1)
    .waitFor()
  expect(await wrongs(page)).toEqual([])
})

it('in names and descriptions of tools, and in texts and changes of MCP servers: 6 places', async () => {
  const server = (name: string) =>
    mcpServer({ name, url: ALL, last_error: { at: '', detail: ALL }, problem: ALL })
  const blocked = PAYLOADS.map((name) => ({ name, tool: name, change: 'changed', diff: `-${name}\n+${ALL}` }))
  const page = await visitor('&tools=', {
    'GET /v1/tools': lists(
      ...PAYLOADS.map((name) => agentTool(name, { description: name, origin: { server: ALL, tool: name } })),
    ),
    'GET /admin/mcp': lists(server('notes'), server(ALL)),
    'GET /admin/mcp/notes': async () => ({
      json: { ...server('notes'), blocked_tools: blocked, unapproved_tools: PAYLOADS },
    }),
  })
  const tools = page.getByRole('region', { name: 'Tools' })
  await tools
    .locator('dt')
    .nth(COUNT - 1)
    .waitFor({ state: 'attached' })
  await tools
    .locator('.server-facts summary')
    .nth(COUNT - 1)
    .waitFor()
  expect(await wrongs(page)).toEqual([])
})

it('in names and titles of files, and in displayed files of all kinds: 7 places', async () => {
  // File names have no slash and no line break; those in the script may.
  const names = PAYLOADS.map((text, at) => `uploads/${at}${text}.csv`)
  const kinds = ['md', 'csv', 'html', 'json', 'svg']
  const page = await requested(
    [
      STARTED,
      ...PAYLOADS.map((text): EventBody => {
        const path = `/mnt/user-data/outputs/${text}`
        return { type: 'artifact.presented', path, title: text, media_type: text, href: '/v1/x' }
      }),
      ENDED,
    ],
    {
      [`GET ${THREAD}/files`]: lists(
        ...names.map((path) => ({ ...info('uploads/a.csv'), path })),
        ...kinds.map((kind) => info(`outputs/all.${kind}`)),
      ),
      ...Object.fromEntries(
        kinds.map((kind): [string, Answer] => [
          `GET ${THREAD}/files/outputs/all.${kind}`,
          // With a zero byte it would not be text.
          async () => ({
            body: (kind === 'csv' ? PAYLOADS.map(quoted).join('\n') : ALL).replaceAll('\0', ''),
          }),
        ]),
      ),
    },
  )
  await log(page)
    .locator('.artifact')
    .nth(COUNT - 1)
    .waitFor()
  await expect.poll(async () => log(page).locator('.artifact').count()).toBe(COUNT)
  await page.getByRole('button', { name: /^Files \d+$/ }).click()
  const panel = page.getByRole('complementary', { name: 'Files' })
  const uploads = panel.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await uploads.nth(COUNT - 1).waitFor()
  expect(await wrongs(page)).toEqual([])
  for (const kind of kinds) {
    await panel.getByRole('button', { name: new RegExp(`^all\\.${kind}`) }).click()
    await panel.getByRole('heading', { name: `all.${kind}` }).waitFor()
    await panel.locator('.prose .part, .table-room, iframe, .code, .picture').first().waitFor()
    expect(await wrongs(page), kind).toEqual([])
    await panel.getByRole('button', { name: 'All files' }).click()
  }
  // The frame's policy refuses the base of the HTML file, and there is nothing else to refuse.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("base-uri 'none'")
})

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}",1`

it('in the thread list, search results and a rename: 2 places', async () => {
  const threads = PAYLOADS.map((title, at) => threadInfo(`th_${at}`, { title }))
  const page = await visitor('', {
    'GET /v1/threads': async (request) =>
      new URL(request.url()).searchParams.has('q')
        ? list(...threads.map((one) => ({ ...one, match: { before: one.title, hit: one.title, after: '' } })))
        : list(...threads),
  })
  await page
    .getByRole('navigation')
    .getByRole('listitem')
    .nth(COUNT - 1)
    .waitFor()
  expect(await wrongs(page)).toEqual([])
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await expect.poll(async () => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(PAYLOADS[0])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('zzz')
  const found = page.getByRole('group', { name: 'Messages' }).getByRole('option')
  await found.nth(COUNT - 1).waitFor()
  expect(await wrongs(page)).toEqual([])
})

it('in skills of the library, in slash completion, and in a skill with its files: 2 places', async () => {
  const skills = PAYLOADS.map((text) =>
    skill(text, {
      description: text,
      tags: [text],
      argument_hint: text,
      card: { title: text, summary: text, icon: text, examples: [text] },
      digest: text,
      model_invocable: true,
    }),
  )
  const whole = skill('all', {
    description: ALL,
    argument_hint: ALL,
    license: ALL,
    version: ALL,
    dependencies: PAYLOADS,
    tags: PAYLOADS,
    diagnostics: PAYLOADS.map((text) => ({ message: text })),
    manifest: PAYLOADS.map((text) => ({ path: text })),
    body: ALL,
  })
  const page = await visitor('', {
    'GET /v1/skills': lists(...skills, skill('all')),
    'GET /v1/skills/all': async () => ({ json: whole }),
  })
  await page.getByRole('list', { name: 'Ideas' }).waitFor()
  await box(page).fill('/')
  await page.getByRole('option').first().waitFor()
  expect(await wrongs(page)).toEqual([])
  await box(page).fill('')
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  const library = page.getByRole('region', { name: 'Skills' })
  // All of them are drawn.
  await page.setViewportSize({ width: 1280, height: 100 * COUNT })
  await library.getByRole('listitem').nth(COUNT).waitFor()
  expect(await wrongs(page)).toEqual([])
  await page.evaluate(() => {
    location.hash = '#skill=all'
  })
  await page.getByRole('article', { name: 'SKILL.md' }).waitFor()
  expect(await wrongs(page)).toEqual([])
})

it('in a reloaded thread, its questions, answers and calls: 1 place', async () => {
  const stored = PAYLOADS.flatMap((text, at) => {
    const run_id = `run_${at}`
    return [
      { ...message(`m_${at}`, 'user', [{ type: 'text', text }]), run_id },
      {
        ...message(`a_${at}`, 'assistant', [
          { type: 'text', text },
          { type: 'tool_use', id: `t_${at}`, name: text, input: { [text]: text } },
          {
            type: 'tool_use',
            id: `p_${at}`,
            name: 'present_files',
            input: { paths: [`/mnt/user-data/outputs/${text}`] },
          },
        ]),
        run_id,
      },
      {
        ...message(`r_${at}`, 'user', [
          { type: 'tool_result', tool_use_id: `t_${at}`, content: text, is_error: true },
          { type: 'tool_result', tool_use_id: `p_${at}`, content: text, is_error: false },
        ]),
        run_id,
      },
    ]
  })
  const page = await visitor('&t=th_1', {
    [`GET ${THREAD}/messages`]: lists(...stored),
    [`GET ${THREAD}/runs`]: lists(
      ...PAYLOADS.map((model, at) => ({ ...RECEIPT, run_id: `run_${at}`, model })),
    ),
  })
  await log(page)
    .getByRole('article')
    .nth(COUNT - 1)
    .waitFor()
  expect(await wrongs(page)).toEqual([])
})

it('the check itself finds a script link, a link that sends data away, a style and a frame', async () => {
  const page = await visitor('', {})
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.setAttribute('href', 'javascript:1')
    link.setAttribute('ping', 'https://evil.example/')
    document.body.append(link, document.createElement('iframe'))
    link.style.backgroundImage = 'url("/icon.svg")'
  })
  expect((await wrongs(page)).length).toBe(4)
})
