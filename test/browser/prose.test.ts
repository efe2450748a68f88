// Guards a streaming answer: rendered elements stay, a selection is kept, code is highlighted and can be copied, links
// open in a new tab, and no highlighting blocks the page.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { UPDATE_CHARS_MAX } from '../../src/page/markdown/limits.ts'
import { message, RECEIPT } from '../unit/page/frames.ts'
import { stepped, type Stepped } from './stepped.ts'
import { ask, box, button, lists, PHONE, satchel, statusLine } from './open.ts'

async function requested(options: BrowserContextOptions = {}): Promise<Stepped> {
  const visitor = await stepped({}, options)
  await box(visitor.page).fill('Tell me.')
  await button(visitor.page, 'Send').click()
  return visitor
}

/** Marks each element of the answer, and returns how many there are. */
async function mark(page: Page): Promise<number> {
  return page.evaluate(() => {
    const elements = document.querySelectorAll<HTMLElement>('.prose *')
    for (const element of elements) element.dataset['seen'] = 'yes'
    return elements.length
  })
}

it('an answer in a right-to-left script runs right to left, also in quotes and tables', async () => {
  const { page, announce } = await requested()
  await announce(
    '# عنوان\n\n> قال أحدهم\n\n- أولاً\n\n  ثانياً\n\n| القياس | القيمة |\n|---|---|\n| أ | ب |\n\nIn English.\n\n',
  )
  // Until the code that renders Markdown has loaded, the text is one paragraph.
  await page.locator('.prose th').first().waitFor()
  await page.locator('.prose p', { hasText: 'In English.' }).waitFor()
  const directions = await page.evaluate(() =>
    ['h3', 'blockquote', 'ul', 'th', '.prose p:last-child'].map((selector) => {
      const elements = document.querySelectorAll(`.prose ${selector.replace('.prose ', '')}`)
      const last = elements[elements.length - 1]
      return last ? getComputedStyle(last).direction : null
    }),
  )
  expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'rtl', 'ltr'])
  const [first, second] = await page.locator('.prose th').all()
  expect((await first?.boundingBox())?.x).toBeGreaterThan((await second?.boundingBox())?.x ?? Infinity)
})

describe('a streaming answer', () => {
  it('keeps the elements already rendered until its end', async () => {
    const { page, announce, finish } = await requested()
    await announce('# Title\n\nOne *word*.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
    await page.getByRole('cell', { name: '2' }).waitFor()
    const before = await mark(page)
    await announce('| 3 | 4 |\n| 5')
    await announce(' | 6 |\n\n- x\n- y\n\n```js\nlet a')
    await announce(' = 1\n```\n\nEnd.')
    await finish()
    expect(await page.locator('[data-seen]').count()).toBe(before)
    await expect
      .poll(async () => page.locator('.prose tr').allInnerTexts())
      .toEqual(['a\tb', '1\t2', '3\t4', '5\t6'])
    await expect.poll(async () => page.getByRole('heading', { name: 'Title', level: 3 }).count()).toBe(1)
  })

  it('keeps the selection above the line being written', async () => {
    const { page, announce, finish } = await requested()
    await announce('These words are chosen.\n\nNext')
    await page.locator('.turn > .prose p').nth(1).waitFor()
    await page.locator('.turn > .prose p').first().selectText()
    for (let n = 0; n < 20; n++) await announce(` **and** more\n\n- ${n}`)
    await finish()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('These words are chosen.')
  })

  it('is shown as plain text in the same layout until the parser has loaded', async () => {
    const visitor = await stepped()
    const { page, announce } = visitor
    let arrive = (): void => undefined
    const gate = new Promise<void>((resolve) => (arrive = resolve))
    // Whatever the page loads from now on is its parser.
    await page.route('**/page/*.js', async (route) => {
      await gate
      await route.continue()
    })
    await ask(page, 'Tell me.')
    await announce('Plain *words*')
    const plain = page.locator('.turn > .prose .plain')
    await plain.waitFor()
    await expect.poll(async () => plain.innerText()).toBe('Plain *words*')
    const top = (await plain.boundingBox())?.y
    arrive()
    await page.locator('.turn > .prose em').waitFor()
    expect((await page.locator('.turn > .prose p').boundingBox())?.y).toBe(top)
  })

  it('that arrives all at once is shown whole and in order', async () => {
    const { page, announce, finish } = await requested()
    const lines = Array.from({ length: 400 }, (_, n) => `Paragraph **${n}** of a long answer.`)
    await announce(lines.join('\n\n'))
    await finish()
    const shown = lines.map((line) => line.replaceAll('*', ''))
    await expect.poll(async () => page.locator('.turn > .prose p').allTextContents()).toEqual(shown)
  })

  it('shows tasks as labelled boxes, links that open a new tab, and pictures as links, and requests none of them', async () => {
    const { page, announce, finish } = await requested()
    const asks: string[] = []
    page.on('request', (request) => void asks.push(request.url()))
    await announce(
      '- [x] a\n- [ ] b\n\n[c](https://example.com/c) ![d](https://example.com/d.png) <img src="https://example.com/e.png">',
    )
    await page.getByRole('link', { name: 'd', exact: true }).waitFor()
    await finish()
    await expect.poll(async () => page.getByRole('img', { name: 'Done' }).count()).toBe(1)
    await expect.poll(async () => page.getByRole('img', { name: 'To do' }).count()).toBe(1)
    for (const name of ['c', 'd']) {
      const link = page.getByRole('link', { name, exact: true })
      await expect
        .poll(async () => [await link.getAttribute('target'), await link.getAttribute('rel')])
        .toEqual(['_blank', 'noopener noreferrer'])
    }
    await expect.poll(async () => page.locator('.prose img').count()).toBe(0)
    expect(asks.filter((address) => !address.startsWith(satchel.url))).toEqual([])
  })
})

describe('code', () => {
  it('is highlighted when its fence closes, by classes only', async () => {
    const { page, announce, finish } = await requested()
    await announce('```ts\nconst a = 1\n')
    await page.locator('.code').waitFor()
    await expect.poll(async () => page.locator('.code [class^=hl-]').count()).toBe(0)
    await announce('```\n\nSo.')
    await page.locator('.hl-keyword').waitFor()
    await expect.poll(async () => page.locator('.code pre').textContent()).toBe('const a = 1\n')
    await expect.poll(async () => page.locator('.code [style]').count()).toBe(0)
    await finish()
  })

  it('is copied exactly as written, and the button confirms it', async () => {
    const { page, announce, finish } = await requested({ permissions: ['clipboard-read', 'clipboard-write'] })
    const code = 'if (a < b) {\n\treturn `x`\n}\n'
    await announce(`\`\`\`js\n${code}\`\`\`\n`)
    await finish()
    const copied = page.getByRole('button', { name: 'Copied' })
    await Promise.all([copied.waitFor(), page.getByRole('button', { name: 'Copy code' }).click()])
    await expect.poll(async () => statusLine(page).textContent()).toBe('Copied')
    await expect.poll(async () => page.evaluate(async () => navigator.clipboard.readText())).toBe(code)
    await page.getByRole('button', { name: 'Copy code' }).waitFor()
  })

  it('stays plain when its Worker is killed; another Worker highlights the next block', async () => {
    const visitor = await stepped()
    const { page, announce, finish } = visitor
    // The first Worker starts and never answers, like one that a pattern blocks.
    await page.evaluate(() => {
      const Real = Worker
      let made = 0
      const seen = { ended: 0 }
      Object.assign(window, {
        workers: seen,
        Worker: class extends Real {
          readonly #dumb = (made += 1) === 1
          override postMessage(message: unknown): void {
            if (!this.#dumb) super.postMessage(message)
          }
          override terminate(): void {
            seen.ended += 1
            super.terminate()
          }
        },
      })
    })
    await ask(page, 'Tell me.')
    await announce('```js\nlet slow = 1\n```\n\n```js\nlet quick = 1\n```\n\nDone.')
    await finish()
    await page.locator('.code').nth(1).locator('.hl-keyword').waitFor()
    await expect.poll(async () => page.locator('.code').first().locator('[class^=hl-]').count()).toBe(0)
    expect(
      await page.evaluate(() => (window as unknown as { workers: { ended: number } }).workers.ended),
    ).toBe(1)
  })

  it('is not folded while it streams, however long it is', async () => {
    const { page, announce, finish } = await requested()
    const code = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n')
    await announce('```\nline')
    await page.locator('.code').waitFor()
    await announce(`${code.slice(4)}\n`)
    await announce('```\n\nEnd.')
    await finish()
    await expect.poll(async () => page.locator('.code pre').innerText()).toContain('line 59')
    await expect.poll(async () => page.getByRole('button', { name: /^Show all/ }).count()).toBe(0)
  })

  it('is folded in a reloaded thread when it is long, and opens in full', async () => {
    const code = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n')
    const output = [
      message('m_1', 'user', [{ type: 'text', text: 'Tell me.' }]),
      message('m_2', 'assistant', [{ type: 'text', text: `\`\`\`\n${code}\n\`\`\`` }]),
    ]
    const { page } = await stepped(
      {
        'GET /v1/threads/th_1/runs': lists(RECEIPT),
        'GET /v1/threads/th_1/messages': lists(...output),
      },
      { fragment: '&t=th_1' },
    )
    const more = page.getByRole('button', { name: 'Show all 60 lines' })
    await more.waitFor()
    await expect.poll(async () => page.locator('.code pre').innerText()).not.toContain('line 59')
    await more.click()
    await expect.poll(async () => page.locator('.code pre').innerText()).toContain('line 59')
    await expect.poll(async () => more.count()).toBe(0)
  })

  it('and tables take the focus only if they scroll', async () => {
    const { page, announce, finish } = await requested()
    const wide = 'wide '.repeat(60)
    await announce(`\`\`\`\n${wide}\n\`\`\`\n\n\`\`\`\nshort\n\`\`\`\n\n| a |\n|---|\n| b |\n`)
    await finish()
    await page.locator('.code pre[tabindex="0"]').waitFor()
    await expect.poll(async () => page.locator('.code pre').nth(1).getAttribute('tabindex')).toBeNull()
    await expect.poll(async () => page.locator('.table').getAttribute('tabindex')).toBeNull()
  })
})

describe('a table', () => {
  it('has stable column widths from the first letters of its first row', async () => {
    const { page, announce, finish } = await requested()
    const width = async (): Promise<number> =>
      (await page.locator('.prose th').first().boundingBox())?.width ?? 0
    await announce('| Region | Orders |\n|---|--:|\n')
    await page.locator('.prose th').first().waitFor()
    const first = await width()
    expect(first).toBeLessThan(100)
    await announce('| eu-west | 4')
    await page.getByRole('cell', { name: '4' }).waitFor()
    const whole = await width()
    expect(whole).toBeLessThan(100)
    await announce(',812 |\n')
    await page.getByRole('cell', { name: '4,812' }).waitFor()
    expect(await width()).toBe(whole)
    await finish()
    expect(await width()).toBe(whole)
  })

  const TABLE = `| Region | Orders | What happened | Why |\n|---|---|---|---|
| North | 1,204 | It grew in each month of the year | Large customers renewed |
| =1+1 | −12 | "Quoted", and with a comma | The export of March stopped |\n`

  it('aligns numbers to the end, gives text 9 rem, scrolls in its own box, and is copied as CSV', async () => {
    const { page, announce, finish } = await requested({
      ...PHONE,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await announce(TABLE)
    await finish()
    const cell = (name: string) => page.getByRole('cell', { name })
    const styleOf = (name: string) => cell(name).evaluate((one) => getComputedStyle(one).textAlign)
    await expect.poll(async () => [await styleOf('1,204'), await styleOf('Large')]).toEqual(['end', 'start'])
    await expect.poll(async () => (await cell('1,204').boundingBox())?.width).toBeLessThan(100)
    for (const name of ['It grew', 'Large'])
      await expect.poll(async () => (await cell(name).boundingBox())?.width).toBeGreaterThanOrEqual(144)
    const scrolls = (selector: string) =>
      page.locator(selector).evaluate((box) => box.scrollWidth > box.clientWidth)
    await expect.poll(async () => [await scrolls('.table'), await scrolls('html')]).toEqual([true, false])
    const done = page.getByRole('button', { name: 'Copied' })
    await Promise.all([done.waitFor(), page.getByRole('button', { name: 'Copy as CSV' }).tap()])
    const copied = await page.evaluate(async () => navigator.clipboard.readText())
    expect(copied.split('\n').map((line) => line.trim())).toEqual([
      'Region,Orders,What happened,Why',
      'North,"1,204",It grew in each month of the year,Large customers renewed',
      `"'=1+1",−12,"""Quoted"", and with a comma",The export of March stopped`,
    ])
  })
})

it('long code keeps its header in view, wraps long lines, and is saved with the extension of its language', async () => {
  const { page, announce, finish } = await requested()
  const code = Array.from({ length: 80 }, (_, n) => `x${n} = ${n === 3 ? `"${'wide '.repeat(50)}"` : n}`)
  const text = `\`\`\`python\n${code.join('\n')}\n\`\`\`\n\n${'More text.\n\n'.repeat(9)}`
  // Code that is ever shown unfinished is not folded.
  expect(text.length).toBeLessThan(UPDATE_CHARS_MAX)
  await announce(text)
  await finish()
  await page.getByRole('button', { name: 'Show all 80 lines' }).click()
  await page.locator('#log').evaluate((log) => log.scrollTo(0, log.scrollHeight / 2))
  const wrap = page.getByRole('button', { name: 'Wrap lines' })
  await wrap.click()
  await expect.poll(async () => wrap.getAttribute('aria-pressed')).toBe('true')
  await expect
    .poll(async () => page.locator('.code pre').evaluate((box) => box.scrollWidth > box.clientWidth))
    .toBe(false)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as code.py' }).click()
  expect((await download).suggestedFilename()).toBe('code.py')
  const [head, log] = await Promise.all([
    page.locator('.code-head').boundingBox(),
    page.getByRole('region', { name: 'Conversation' }).boundingBox(),
  ])
  expect(Math.abs((head?.y ?? 0) - (log?.y ?? 0))).toBeLessThan(2)
})

it('formulas are rendered when they are complete, and prices stay text', async () => {
  const { page, announce, finish } = await requested()
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(new URL(request.url()).pathname))
  await announce('It costs $5 and $10, or \\(x')
  await expect.poll(async () => page.locator('.turn > .prose').innerText()).toBe('It costs $5 and $10, or')
  expect(loaded.filter((path) => path.includes('math'))).toEqual([])
  await announce('^2\\).\n\n$$\n\\frac{1}{2}\n$$\n\n\\(\\wrong{\\)')
  await finish()
  await page.locator('.formula.displayed math mfrac').waitFor()
  await page.locator('p .formula math msup').waitFor()
  await expect
    .poll(async () => page.locator('.turn > .prose > .part > p').last().innerText())
    .toBe('\\(\\wrong{\\)')
  expect(loaded.filter((path) => path.includes('math')).length).toBe(1)
  await expect.poll(async () => page.locator('math [href], math [src], math [id]').count()).toBe(0)
})
