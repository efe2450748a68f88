// Promise: everything a person does in a conversation also works by touch on a phone with the dark theme: controls are
// on the screen, large enough, and do what they say. Other files test the same on a desktop with the light theme.

import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { ADMIN_KEY, until } from '../e2e/satchel.ts'
import { RUN, STARTED, textDelta, toolStarted } from '../unit/page/frames.ts'
import { modelInfo, threadInfo } from '../unit/page/ports.ts'
import { goingOn } from './answering.ts'
import { stepped } from './stepped.ts'
import { file } from './thread-files.ts'
import { asking, REPORT } from './walk-data.ts'
import { fits, send } from './walk.ts'
import {
  THREAD,
  ask,
  button,
  list,
  log,
  receipt,
  refusal,
  satchel,
  scripted,
  visit,
  PHONE,
  box,
  runOf,
  signedIn,
  statusLine,
  type Answers,
} from './open.ts'

const DARK = { ...PHONE, colorScheme: 'dark' } as const
const menu = async (page: Page): Promise<void> => page.getByRole('button', { name: /^Menu/ }).tap()

/** On the screen, and not smaller than WCAG 2.2 requires. */
async function tap(target: Locator): Promise<void> {
  const box = await target.boundingBox()
  expect(box?.height, `${String(target)} is large enough for a finger`).toBeGreaterThanOrEqual(24)
  await target.tap()
}

const onPhone = async () => signedIn({ ...DARK, permissions: ['clipboard-read', 'clipboard-write'] })

describe('an answer', () => {
  it('does not move while it streams; its table, tasks and code are readable, and its code can be copied', async () => {
    const { page, announce, finish } = await stepped(
      {},
      { ...DARK, permissions: ['clipboard-read', 'clipboard-write'] },
    )
    await send(page, 'Tell me.')
    const box = async () => log(page).locator('.question').boundingBox()
    await announce('# Report\n\nFirst')
    const before = await box()
    for (const part of REPORT.match(/[^]{1,200}/g) ?? []) {
      await announce(part)
      expect(await box()).toEqual(before)
    }
    await finish()
    expect(await box()).toEqual(before)
    await fits(page, 'an answer')
    await expect.poll(async () => log(page).getByRole('cell', { name: 'Orders' }).count()).toBe(1)
    await expect.poll(async () => log(page).getByRole('img', { name: 'Done' }).count()).toBe(1)
    const link = log(page).getByRole('link', { name: 'the log' })
    await expect
      .poll(async () => [await link.getAttribute('target'), await link.getAttribute('rel')])
      .toEqual(['_blank', 'noopener noreferrer'])
    await tap(button(page, 'Copy code').first())
    await until('it is copied', async () =>
      (await page.evaluate(async () => navigator.clipboard.readText())).startsWith('const value0 = 0'),
    )
    // A fence that contains another one is a single code block.
    await expect
      .poll(async () => log(page).locator('pre', { hasText: 'A fence in a fence' }).innerText())
      .toContain('```sh')
    await tap(button(page, 'Jump to the end'))
    await button(page, 'Good answer').waitFor()
    await until('its end is seen', async () => (await button(page, 'Good answer').boundingBox())!.y < 800)
  })

  it('can be copied, rated and asked again, and its question edited, with a way back to each version', async () => {
    const page = await onPhone()
    await send(page, 'Hello there')
    await button(page, 'Good answer').waitFor()
    await tap(button(page, 'Copy'))
    await until('it is copied', async () =>
      (await page.evaluate(async () => navigator.clipboard.readText())).includes('demo model'),
    )
    await tap(button(page, 'Good answer'))
    await page.getByLabel('What was good? (optional)').fill('Short')
    await tap(button(page, 'Save the note'))
    await tap(receipt(page))
    await expect
      .poll(async () => log(page).getByRole('row', { name: 'Rating' }).innerText())
      .toMatch(/good: Short/)
    await fits(page, 'a receipt')
    const old = page.url()
    await tap(button(page, 'Ask again'))
    await until('the branch is shown', () => page.url() !== old)
    await button(page, 'Good answer').waitFor()
    await tap(button(page, 'Previous version'))
    await until('the old one is shown', () => page.url() === old)
    await log(page).getByText('1/2').waitFor()
    await button(page, 'Edit the question').waitFor()
    await tap(button(page, 'Edit the question'))
    await page.getByLabel('Your question').fill('Hello again')
    await tap(button(page, 'Send edit'))
    await log(page).locator('.question').getByText('Hello again', { exact: true }).waitFor()
  })

  it('shows the current step, queues one more message, and keeps its text after a stop', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers, DARK)
    await send(page, 'First')
    run.frames(
      STARTED,
      textDelta('The first half'),
      toolStarted('a', 'read_file', { path: '/mnt/x/levels.md' }),
    )
    await log(page).getByText('Reading levels.md…').first().waitFor()
    await ask(page, 'one')
    await box(page).pressSequentially('two')
    expect(run.sent).toHaveLength(1)
    await tap(button(page, 'Queue'))
    await page.getByRole('group', { name: 'Queued' }).getByText('one').waitFor()
    await tap(button(page, 'Stop'))
    await statusLine(page).getByText('Stopped').waitFor()
    await expect.poll(async () => log(page).getByText('The first half').isVisible()).toBe(true)
    await expect.poll(async () => box(page).inputValue()).toBe('one\ntwo')
    await fits(page, 'a stopped answer')
  })

  it('shows that its thread does not exist, and offers a new one', async () => {
    const gone = refusal(404, 'not_found', 'No such thread.')
    const { page } = await scripted(
      '&t=th_1',
      {
        [`GET ${THREAD}`]: async () => gone,
        [`GET ${THREAD}/runs`]: async () => gone,
        [`GET ${THREAD}/messages`]: async () => gone,
      },
      DARK,
    )
    const alert = log(page).getByRole('alert')
    await alert.getByText('This thread does not exist or was deleted.').waitFor()
    await tap(alert.getByRole('button', { name: 'New thread' }))
    await page.getByText('What shall we work on?').waitFor()
  })
})

describe('threads', () => {
  it('are in the menu, grouped by day and marked when they wait, and can be found, renamed, deleted and restored', async () => {
    let title = 'An older one'
    const { page, times } = await scripted(
      '',
      {
        'GET /v1/threads': async (request) => {
          const all = [
            threadInfo('th_2', { title, updated_at: '2025-12-10T12:00:00Z' }),
            threadInfo('th_3', { title: 'Waits for a yes', updated_at: '2025-12-09T12:00:00Z' }),
          ]
          return new URL(request.url()).searchParams.has('q')
            ? list({ ...all[0], match: { before: '', hit: 'older', after: ' words' } })
            : list(...all)
        },
        'GET /v1/approvals': async () => list({ thread_id: 'th_3' }),
        'PATCH /v1/threads/th_2': async (request) => {
          // As sent by the client.
          ;({ title } = request.postDataJSON() as { title: string })
          return { json: threadInfo('th_2', { title }) }
        },
      },
      { ...DARK, locale: 'en-US' },
    )
    await menu(page)
    const side = page.getByRole('navigation', { name: 'Threads' })
    await side.getByRole('heading', { name: 'December 2025' }).waitFor()
    await side.getByRole('link', { name: 'Waits for a yes Waiting' }).waitFor()
    await tap(button(page, 'More for An older one'))
    await tap(page.getByRole('menuitem', { name: 'Rename…' }))
    await page.getByLabel('Name', { exact: true }).fill('A newer name')
    await tap(button(page, 'Rename'))
    await side.getByRole('link', { name: 'A newer name' }).waitFor()
    await tap(button(page, 'More for A newer name'))
    await tap(page.getByRole('menuitem', { name: 'Delete' }))
    // The focus stops the time until the deletion.
    await button(page, 'Undo').focus()
    await side.getByRole('link', { name: 'A newer name' }).waitFor({ state: 'detached' })
    await tap(button(page, 'Undo'))
    await tap(button(page, 'Search'))
    await page.getByRole('combobox').fill('older')
    const found = page.getByRole('option').filter({ has: page.locator('mark') })
    await found.waitFor()
    await fits(page, 'the palette')
    expect(times.get('DELETE /v1/threads/th_2')).toBeUndefined()
    await found.tap()
    await until('it is shown', () => page.url().endsWith('#t=th_2'))
    await side.waitFor({ state: 'hidden' })
  })

  it('keep their drafts, and the key can be remembered and forgotten', async () => {
    const page = await visit(satchel.url, DARK)
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY)
    await page.getByLabel('Key', { exact: true }).blur()
    await page.getByText('so it is kept only until you close this tab').waitFor()
    await page.getByLabel('Remember it in this browser').tap()
    await tap(button(page, 'Continue'))
    await box(page).fill('Half a thought')
    await page.evaluate(() => {
      location.hash = '#skills'
    })
    await page.getByRole('region', { name: 'Skills' }).waitFor()
    await page.reload()
    await tap(button(page, 'New thread').first())
    await until('the draft is there', async () => (await box(page).inputValue()) === 'Half a thought')
    await menu(page)
    await tap(button(page, 'Settings'))
    await tap(page.getByRole('menuitem', { name: 'Your key…' }))
    await tap(button(page, 'Forget the key'))
    await page.getByRole('heading', { name: 'Sign in to Satchel' }).waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(ADMIN_KEY)
  })
})

describe('skills, files and approvals', () => {
  it('a skill is completed after a slash, opened in the library, and tried', async () => {
    const page = await onPhone()
    await box(page).fill('/inc')
    await tap(page.getByRole('option', { name: /incident-report/ }))
    await expect.poll(async () => box(page).inputValue()).toBe('/incident-report ')
    await box(page).fill('')
    await menu(page)
    await tap(page.getByRole('link', { name: 'Skills', exact: true }))
    await page.locator('.skill-line', { hasText: 'incident-report' }).tap()
    await page.getByRole('article', { name: 'SKILL.md' }).getByRole('table').first().waitFor()
    await fits(page, 'a skill')
    await tap(button(page, 'scripts/timeline.py'))
    await page.getByRole('dialog').getByText('import argparse').waitFor()
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Close' }))
    await tap(button(page, 'Try it'))
    await until('it is in the box', async () => (await box(page).inputValue()) === '/incident-report ')
  })

  it('a table becomes a chart: attach, remove, send, and view every file', async () => {
    const page = await onPhone()
    // A persistent listener: the driver switches its file chooser off and on again with the listeners.
    page.on('filechooser', () => undefined)
    const attach = async (name: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await tap(button(page, 'Attach files'))
      await (
        await chooser
      ).setFiles([file(name, 'month,region,orders\n2026-01,north,12\n2026-02,north,9\n2026-03,south,30\n')])
    }
    await attach('wrong.csv')
    await tap(button(page, 'Remove wrong.csv'))
    await attach('sales.csv')
    await send(page, 'What stands out in this table?')
    const picture = log(page).getByRole('list', { name: 'Files of the answer' }).getByRole('img').first()
    await button(page, 'Good answer').waitFor()
    // It is fetched when it is near the viewport.
    await log(page).locator('.picture').first().scrollIntoViewIfNeeded()
    await picture.scrollIntoViewIfNeeded()
    await picture.waitFor()
    await fits(page, 'a chart')
    await tap(page.getByRole('list', { name: 'Files of the message' }).getByRole('button'))
    const panel = page.getByRole('dialog', { name: 'Files' })
    await panel.getByRole('cell', { name: '2026-02' }).waitFor()
    await fits(page, 'a table of values')
    await tap(panel.getByRole('button', { name: 'All files' }))
    const download = page.waitForEvent('download')
    await tap(panel.getByRole('button', { name: 'Download sales.csv' }))
    expect((await download).suggestedFilename()).toBe('sales.csv')
    await tap(panel.getByRole('button', { name: 'Close' }))
    await panel.waitFor({ state: 'detached' })
  })

  it('a call is approved with its answer remembered, or denied with a note', async () => {
    const given: unknown[] = []
    const wait: readonly EventBody[] = asking.filter(
      (body) => !('tool_use_id' in body && body.tool_use_id === 'x'),
    )
    const answers: Answers = {
      'POST /v1/chat': async () => runOf(...wait),
      [`GET ${THREAD}/runs/${RUN}/events`]: async () => new Promise(() => undefined),
      [`POST ${THREAD}/runs/${RUN}/approvals/c`]: async (request) => {
        given.push(request.postDataJSON())
        return { status: 204 }
      },
    }
    for (const decision of ['Approve', 'Deny']) {
      const { page } = await scripted('', answers, DARK)
      await send(page, 'Open a ticket')
      const card = page.getByRole('group', { name: 'Approve the call to create_ticket?' })
      await card.getByText('tickets.example').waitFor()
      await fits(page, 'an approval')
      if (decision === 'Deny') {
        await tap(card.getByRole('button', { name: 'Deny' }))
        await card.getByLabel('Reason for the agent').fill('Ask Ada first')
        await tap(card.getByRole('button', { name: 'Deny' }))
      } else {
        await tap(card.getByRole('button', { name: 'don’t ask again' }))
        await tap(page.getByRole('menuitem', { name: 'In this thread' }))
      }
      await card.getByText('Your answer is saved.').waitFor()
    }
    expect(given).toEqual([
      { decision: 'approve', remember: 'thread', digest: 'd' },
      { decision: 'deny', note: 'Ask Ada first', digest: 'd' },
    ])
  })

  it('model, effort and limits can be chosen, and context use and cost are shown below them', async () => {
    const run = goingOn()
    const { page } = await scripted(
      '',
      {
        ...run.answers,
        'GET /v1/models': async () => list(modelInfo('grande', { default: true })),
        [`GET ${THREAD}`]: async () => ({
          json: threadInfo('th_1', {
            model: 'grande',
            context_tokens: 500,
            charged: { tokens: 1, usd: 0.25, estimated: false },
          }),
        }),
      },
      DARK,
    )
    await tap(page.getByRole('button', { name: 'Model and limits' }))
    await tap(page.getByText('High', { exact: true }))
    await page.getByLabel('Steps').fill('7')
    await fits(page, 'the menu')
    await page.getByLabel('Steps').blur()
    await page.keyboard.press('Escape')
    await send(page, 'First')
    await until('it is sent', () => run.sent.length === 1)
    expect(run.sent[0]).toMatchObject({ effort: 'high', budget: { steps: 7 } })
    run.end()
    await page.getByText('Thread: $0.25 · 50% of context').waitFor()
  })
})
