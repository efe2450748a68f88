// Guards the composer: the usual keys send a message, a message is queued while an answer streams, and nothing that
// was typed is lost. A real browser, scripted answers.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { NO_USAGE } from '../../src/agent/message.ts'
import { message, STARTED } from '../unit/page/frames.ts'
import { modelInfo } from '../unit/page/ports.ts'
import { goingOn } from './answering.ts'
import { PHONE, THREAD, ask, box, button, lists, scripted, statusLine } from './open.ts'

const hasFocus = async (page: Page): Promise<boolean> =>
  box(page).evaluate((element) => element === document.activeElement)

describe('keys', () => {
  it('Enter sends, Shift+Enter breaks the line, and Control+Enter always sends', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await box(page).fill('one')
    const low = (await box(page).boundingBox())?.height ?? 0
    for (let line = 0; line < 5; line++) await box(page).press('Shift+Enter')
    await box(page).pressSequentially('two')
    await expect.poll(async () => (await box(page).boundingBox())?.height).toBeGreaterThan(low + 60)
    await box(page).press('Enter')
    await until('it is sent', () => run.sent.length === 1)
    expect(run.sent[0]).toMatchObject({ message: 'one\n\n\n\n\ntwo' })
    await expect.poll(async () => box(page).inputValue()).toBe('')
    run.end()
    await statusLine(page).getByText('Answer complete').waitFor()
    await box(page).fill('three')
    await box(page).press('Control+Enter')
    await until('it is sent', () => run.sent.length === 2)
    // An empty text is not a message.
    await ask(page, '  ')
    await expect.poll(async () => box(page).inputValue()).toBe('  ')
    expect(run.sent.length).toBe(2)
  })

  it('Enter does not send while an input method composes a word', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await box(page).focus()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await page.keyboard.press('Enter')
    await devtools.send('Input.insertText', { text: '日本' })
    expect(run.sent).toEqual([])
    await page.keyboard.press('Enter')
    await until('it is sent', () => run.sent.length === 1)
    expect(JSON.stringify(run.sent)).toContain('日本')
  })

  it('on a phone, Enter breaks the line, as the keyboard shows, and the button sends', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers, PHONE)
    await ask(page, 'one')
    await box(page).pressSequentially('two')
    await expect.poll(async () => box(page).getAttribute('enterkeyhint')).toBe('enter')
    expect(run.sent).toEqual([])
    await button(page, 'Send').click()
    await until('it is sent', () => run.sent.length === 1)
    expect(run.sent[0]).toMatchObject({ message: 'one\ntwo' })
    // A long queued message pushes nothing off the screen.
    await button(page, 'Stop').waitFor()
    await expect.poll(async () => button(page, 'Send').count()).toBe(0)
    await box(page).fill('and then '.repeat(40))
    await button(page, 'Queue').click()
    await page.getByRole('group', { name: 'Queued' }).waitFor()
    await box(page).fill('more')
    for (const name of ['Remove the queued message', 'Queue', 'Stop']) {
      const box = await button(page, name).boundingBox()
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    }
    await expect.poll(async () => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('ArrowUp in an empty box edits the last question', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'What is it?')
    await until('it is sent', () => run.sent.length === 1)
    run.end()
    await statusLine(page).getByText('Answer complete').waitFor()
    await box(page).fill('x')
    await box(page).press('ArrowUp')
    const question = page.getByRole('textbox', { name: 'Your question' })
    await expect.poll(async () => question.count()).toBe(0)
    await box(page).fill('')
    await box(page).press('ArrowUp')
    await expect.poll(async () => question.inputValue()).toBe('What is it?')
  })
})

describe('during an answer', () => {
  it('a message can steer the answer, by button or keys, and appears where it joined', async () => {
    for (const isPhone of [false, true]) {
      const run = goingOn()
      const { page } = await scripted('', run.answers, isPhone ? PHONE : undefined)
      await box(page).fill('First')
      await button(page, 'Send').click()
      await statusLine(page).getByText('Thinking…').waitFor()
      await expect.poll(async () => box(page).getAttribute('placeholder')).toBe('Add a message for later')
      const stop = button(page, 'Stop')
      await expect.poll(async () => stop.getAttribute('title')).toBe(isPhone ? null : 'Stop (Esc)')
      await box(page).fill('Turn left.')
      await button(page, 'Steer this answer').waitFor()
      if (isPhone) await button(page, 'Steer this answer').click()
      else await box(page).press('Control+Enter')
      await until('it is sent', () => run.sent.length === 2)
      expect(run.sent[1]).toMatchObject({ message: 'Turn left.', thread_id: 'th_1', on_busy: 'steer' })
      await statusLine(page).getByText('the answer takes it up').waitFor()
      await expect.poll(async () => box(page).inputValue()).toBe('')
      const joined = {
        ...message('m9', 'user', [{ type: 'text', text: 'Turn left.' }]),
        steered: true as const,
      }
      run.frames({ type: 'run.steered', message: joined })
      await page.locator('.question').getByText('Turn left.').waitFor()
      run.end()
      await statusLine(page).getByText('Answer complete').waitFor()
    }
  })

  it('one message is queued and shown, can be edited or removed, and is sent when the answer ends', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'First')
    await button(page, 'Stop').waitFor()
    await ask(page, 'Second')
    const next = page.getByRole('group', { name: 'Queued' })
    await expect.poll(async () => next.innerText()).toMatch(/Next:\s*Second/)
    await expect.poll(async () => box(page).inputValue()).toBe('')
    // Only one message is queued: another stays in the box, with the reason.
    await ask(page, 'Third')
    await page.getByRole('alert').getByText('A message is already queued').waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('Third')
    await box(page).fill('')
    await button(page, 'Edit the queued message').click()
    await expect.poll(async () => box(page).inputValue()).toBe('Second')
    await expect.poll(async () => hasFocus(page)).toBe(true)
    await expect.poll(async () => next.count()).toBe(0)
    await box(page).press('Enter')
    await button(page, 'Remove the queued message').click()
    await expect.poll(async () => next.count()).toBe(0)
    await ask(page, 'Second, then')
    expect(run.sent.length).toBe(1)
    run.end()
    await until('it is sent', () => run.sent.length === 2)
    expect(run.sent[1]).toMatchObject({ message: 'Second, then', thread_id: 'th_1' })
    await statusLine(page).getByText('Answer complete').waitFor()
    const questions = page.locator('.question')
    await expect.poll(async () => questions.allInnerTexts()).toEqual(['First', 'Second, then'])
    await expect.poll(async () => next.count()).toBe(0)
  })

  it('a queued message becomes a draft after a reload, and is not sent when the agent asks a question', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'First')
    await button(page, 'Stop').waitFor()
    await ask(page, 'Second')
    await box(page).fill('and more')
    await page.reload()
    await until('it is back', async () => (await box(page).inputValue()) === 'Second\n\nand more')
    await box(page).fill('')

    const other = goingOn()
    const { page: tab } = await scripted('', other.answers)
    await ask(tab, 'First')
    await button(tab, 'Stop').waitFor()
    await ask(tab, 'Second')
    other.end('run.completed', 'awaiting_input')
    await until('it is back', async () => (await box(tab).inputValue()) === 'Second')
    expect(other.sent.length).toBe(1)
  })

  it('Escape stops the answer from anywhere, even before the server has returned the run', async () => {
    const run = goingOn()
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const first = run.answers['POST /v1/chat']
    const { page, times } = await scripted('', {
      ...run.answers,
      'POST /v1/chat': async (request, before) => {
        await gate
        return (await first?.(request, before)) ?? {}
      },
    })
    await ask(page, 'First')
    await button(page, 'Stop').waitFor()
    await button(page, 'Attach files').focus()
    await page.keyboard.press('Escape')
    await expect.poll(async () => hasFocus(page)).toBe(true)
    open()
    await until('it is stopped', () => times.get(`POST ${THREAD}/runs/run_1/cancel`) === 1)
    await statusLine(page).getByText('Stopped').waitFor()
  })

  it.each(['Escape', 'button'])('%s stops it, keeps the focus, restores the queued text', async (by) => {
    const run = goingOn()
    const { page, times } = await scripted('', run.answers)
    await ask(page, 'First')
    await button(page, 'Stop').waitFor()
    await ask(page, 'Second')
    if (by === 'Escape') await box(page).press('Escape')
    else await button(page, 'Stop').click()
    await until('it is stopped', () => times.get(`POST ${THREAD}/runs/run_1/cancel`) === 1)
    await until('it is back', async () => (await box(page).inputValue()) === 'Second')
    await expect.poll(async () => hasFocus(page)).toBe(true)
    await expect.poll(async () => box(page).isEnabled()).toBe(true)
    await expect.poll(async () => button(page, 'Stop').count()).toBe(0)
    expect(run.sent.length).toBe(1)
  })

  it('one status shows the current step and the result', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'First')
    await statusLine(page).getByText('Thinking…').waitFor()
    await ask(page, 'Second')
    await statusLine(page).getByText('The message is queued and will be sent when this answer ends').waitFor()
    await expect.poll(async () => statusLine(page).getAttribute('role')).toBe('status')
    await button(page, 'Remove the queued message').click()
    run.end('run.failed')
    await statusLine(page).getByText('The answer failed').waitFor()
  })
})

describe('a draft', () => {
  it('belongs to its thread and survives a reload', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await box(page).fill('for a new one')
    await page.evaluate(() => {
      location.hash = '#t=th_2'
    })
    await until('the other is shown', async () => (await box(page).inputValue()) === '')
    await box(page).fill('for the second')
    await page.reload()
    await until('it is back', async () => (await box(page).inputValue()) === 'for the second')
    await page.getByRole('button', { name: 'New thread' }).click()
    await until('it is back', async () => (await box(page).inputValue()) === 'for a new one')
  })

  it('is kept until the server has accepted the run, then removed', async () => {
    const run = goingOn()
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    const first = run.answers['POST /v1/chat']
    const { page } = await scripted('', {
      ...run.answers,
      'POST /v1/chat': async (request, before) => {
        if (before === 0) await gate
        return (await first?.(request, before)) ?? {}
      },
    })
    const kept = async (): Promise<string> => page.evaluate(() => JSON.stringify(localStorage))
    await ask(page, 'Do not lose me')
    await expect.poll(async () => box(page).inputValue()).toBe('')
    await page.reload()
    await until('it is back', async () => (await box(page).inputValue()) === 'Do not lose me')
    open()
    await box(page).press('Enter')
    await page.locator('.question').getByText('Do not lose me').waitFor()
    await until('the draft is gone', async () => !(await kept()).includes('Do not lose me'))
  })

  it('is restored with the reason when the server refuses the message', async () => {
    const detail = "There is no skill 'nobody'."
    const { page } = await scripted('', {
      'POST /v1/chat': async () => ({ status: 422, json: { status: 422, code: 'invalid_request', detail } }),
    })
    await ask(page, '/nobody it')
    await page.getByRole('alert').getByText(detail).waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('/nobody it')
    await expect.poll(async () => page.locator('.turn').count()).toBe(0)
    await box(page).fill('')
    await expect.poll(async () => page.getByRole('alert').count()).toBe(0)
  })

  it('is forgotten with the key', async () => {
    const { page } = await scripted('', {})
    await box(page).fill('secret')
    await until('it is kept', async () => page.evaluate(() => localStorage.length === 1))
    await box(page).fill('')
    await until('nothing is kept of nothing', async () => page.evaluate(() => localStorage.length === 0))
  })
})

describe('a long paste', () => {
  it('becomes a file, and can be turned back into text', async () => {
    const { page } = await scripted('', {
      'POST /v1/threads': async () => ({ status: 201, json: { thread_id: 'th_1' } }),
      [`POST ${THREAD}/files`]: async () => ({
        status: 201,
        json: { data: [{ path: 'uploads/pasted-text.txt', bytes: 20_000, href: `${THREAD}/files/x` }] },
      }),
      [`DELETE ${THREAD}/files/x`]: async () => ({ status: 204 }),
    })
    const paste = async (length: number): Promise<void> =>
      box(page).evaluate((element, size) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', 'line\n'.repeat(size / 5))
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, length)
    await paste(100)
    await expect.poll(async () => page.getByRole('list', { name: 'Attached files' }).count()).toBe(0)
    await paste(20_000)
    const files = page.getByRole('list', { name: 'Attached files' })
    await files.getByText('pasted-text.txt').waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('')
    await button(page, 'Put pasted-text.txt back as text').click()
    await expect.poll(async () => (await box(page).inputValue()).length).toBe(20_000)
    await until('it is off', async () => (await files.count()) === 0)
  })
})

describe('the menu', () => {
  const PRICE = { input: 4, output: 20, cache_write: 5, cache_read: 0.2 }

  it('selects model, effort and limits for the next messages and remembers them', async () => {
    const run = goingOn()
    const content = [{ type: 'text', text: 'First' }]
    let used = { charged: { usd: 0.1 }, context_tokens: 300 }
    const output = { id: 'm_0', run_id: 'run_1', role: 'user', content }
    const { page } = await scripted('', {
      ...run.answers,
      'GET /v1/models': lists(
        modelInfo('grande', { name: 'Grande 5', default: true, window: 1_000_000 }),
        modelInfo('piccolo', { name: 'Piccolo 5', price: { ...PRICE, input: 0.1, output: 0.5 } }),
        modelInfo('vecchio', { window: null, efforts: [], price: null }),
      ),
      [`GET ${THREAD}/messages`]: lists(output),
      [`GET ${THREAD}`]: async () => ({
        json: { id: 'th_1', model: 'piccolo', branches: [], ...used },
      }),
    })
    const menu = page.getByRole('button', { name: 'Model and limits' })
    await expect.poll(async () => menu.innerText()).toContain('Grande 5')
    await menu.click()
    await expect.poll(async () => page.locator('select').count()).toBe(0)
    const models = page.getByRole('group', { name: 'Model', exact: true })
    const effort = page.getByRole('group', { name: 'Effort' })
    // The focus is on the selected model; arrows move within the group, Tab leaves it.
    for (const [name, facts] of [
      [/^Grande 5 default , context 1M , input \$4 , output \$20$/, true],
      [/^Piccolo 5 , context 1K , input \$0.10 , output \$0.50$/, false],
      [/^vecchio , context unknown/, false],
    ] as const)
      await expect.poll(async () => models.getByRole('radio', { name }).isChecked()).toBe(facts)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => effort.count()).toBe(0)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowRight')
    await expect.poll(async () => effort.getByRole('radio', { name: 'High' }).isChecked()).toBe(true)
    await page.getByLabel('Dollars').fill('500')
    await page.getByLabel('Steps').fill('7')
    await page.getByLabel('Steps').press('Tab')
    await expect.poll(async () => page.getByLabel('Dollars').inputValue()).toBe('100')
    await page.keyboard.press('Escape')
    await ask(page, 'First')
    await until('it is sent', () => run.sent.length === 1)
    expect(run.sent[0]).toMatchObject({ model: 'piccolo', effort: 'high', budget: { usd: 100, steps: 7 } })
    // The cost grows with finished steps, and is marked as incomplete.
    const step = message('m_1', 'assistant', [{ type: 'tool_use', id: 'a', name: 'bash', input: {} }])
    run.frames(STARTED, {
      type: 'message.completed',
      step: 1,
      message: step,
      model_stop: 'tool_use',
      usage: { ...NO_USAGE, cost_usd: 0.1 },
    })
    await page.getByText('Thread: $0.10 so far · 30% of context').waitFor()
    used = { charged: { usd: 0.25 }, context_tokens: 870 }
    run.end()
    await page.getByText('Thread: $0.25 · 87% of context, nearly full').waitFor()
    await ask(page, 'Second')
    await until('it is sent', () => run.sent.length === 2)
    expect(run.sent[1]).toMatchObject({ effort: 'high', budget: { usd: 100, steps: 7 } })
    expect(run.sent[1]).not.toHaveProperty('model')
    await page.reload()
    await menu.click()
    await expect.poll(async () => effort.getByRole('radio', { name: 'High' }).isChecked()).toBe(true)
    const dialog = page.getByRole('dialog', { name: 'Model and limits' })
    const facts = /per million tokens[\s\S]*870 of 1,000 tokens, 87%/
    await expect.poll(async () => dialog.innerText()).toMatch(facts)
    // The thread continues with another model, and a line announces it.
    await models.getByRole('radio', { name: 'Grande 5' }).focus()
    await page.keyboard.press('Space')
    await dialog.getByText('From your next message on').waitFor()
    await page.keyboard.press('Escape')
    await ask(page, 'Third')
    await until('it is sent', () => run.sent.length === 3)
    expect(run.sent[2]).toMatchObject({ model: 'grande', rebase: true })
  })
})
