// Promise: an HTML file is shown in its own frame and can do nothing there: none of its scripts run, it makes no
// requests, and it navigates neither the frame nor the page.

import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { PAYLOADS } from './payloads.ts'
import { info } from './thread-files.ts'
import { PHONE, THREAD, complaints, lists, satchel, scripted, visit } from './open.ts'

const RUNS = 'top.pwned=1;parent.pwned=1;globalThis.pwned=1;parent.postMessage(1,location)'
const EVIL = 'https://evil.example'
/** Content that would run, load, submit or navigate in an ordinary document. */
const HOSTILE = `<!doctype html><html onclick="${RUNS}"><head>
<meta http-equiv="refresh" content="0;url=${EVIL}/refresh"><meta http-equiv="refresh" content="0;url=/v1/refresh">
<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'"><base href="${EVIL}/" target="_top">
<link rel="stylesheet" href="${EVIL}/l.css"><link rel="preconnect" href="${EVIL}"><link rel="prefetch" href="/v1/me">
<script>${RUNS}</script><script src="${EVIL}/s.js"></script><script type="module">import "${EVIL}/m.js"</script>
<style>@import url(${EVIL}/i.css);@import "/v1/i.css";@font-face{font-family:e;src:url(${EVIL}/f.woff)}
p{background:url(${EVIL}/b.png);font-family:e;cursor:url(/v1/c.png),auto} h1{color:rgb(1, 2, 3)}</style></head>
<body onload="${RUNS}" onpageshow="${RUNS}"><h1>Report</h1><p onmouseover="${RUNS}">Text</p>
<img src=x onerror="${RUNS}"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="${EVIL}/p.png" srcset="${EVIL}/q.png 2x"><video poster="${EVIL}/v.png" src="${EVIL}/v.mp4" autoplay></video>
<a href="${EVIL}/a" target="_top">web</a> <a href="javascript:${RUNS}">script</a> <a href="/v1/threads">server</a>
<a href="data:text/html,<script>${RUNS}</script>">data</a> <a href="#here" ping="${EVIL}/ping">here</a>
<svg onload="${RUNS}" width="20" height="20"><script>${RUNS}</script><use href="${EVIL}/#u"/><image href="${EVIL}/i.png"/>
<a xlink:href="javascript:${RUNS}"><text y="10">svg</text></a><animate attributeName="href" values="javascript:${RUNS}"/>
<foreignObject><iframe src="${EVIL}/fo"></iframe></foreignObject><rect width="20" height="20" fill="#480"/></svg>
<iframe src="${EVIL}/if"></iframe><iframe srcdoc="<script>${RUNS}</script>"></iframe><object data="${EVIL}/o"></object>
<embed src="${EVIL}/e"><form action="${EVIL}/form" target="_top"><input name="x" autofocus onfocus="${RUNS}"><button>Send</button></form>
<button formaction="${EVIL}/fa">Bare</button><isindex action="${EVIL}"><details open ontoggle="${RUNS}"><summary>d</summary></details>
<template shadowrootmode="open"><script>${RUNS}</script></template><noscript><img src="${EVIL}/n.png"></noscript>
<p id="here" style="position:fixed;inset:0;background:url(${EVIL}/st.png)">Here</p>
<table><tr><td>North</td><td>511</td></tr></table>${PAYLOADS.join('\n')}</body></html>`

const panel = (page: Page) => page.locator('#files-panel, dialog').first()

async function opened(html: string, options: Parameters<typeof scripted>[2] = {}) {
  const left: string[] = []
  const { page, times } = await scripted(
    '&t=th_1',
    {
      [`GET ${THREAD}/files`]: lists(info('outputs/report.html')),
      [`GET ${THREAD}/files/outputs/report.html`]: async () => ({ body: html }),
    },
    options,
    async (fresh) => {
      await fresh.context().route(
        (url) => url.origin !== satchel.url && url.protocol.startsWith('http'),
        async (route) => {
          left.push(route.request().url())
          await route.abort()
        },
      )
      fresh.on('dialog', (dialog) => void left.push(dialog.message()))
      fresh.on('popup', (popup) => void left.push(popup.url()))
    },
  )
  await page.getByRole('button', { name: /^Files \d+$/ }).click()
  await panel(page)
    .getByRole('button', { name: /^report\.html/ })
    .click()
  await panel(page).locator('iframe').waitFor()
  const frame = page.frames().find((one) => one !== page.mainFrame())
  if (!frame) throw new Error('there is no frame')
  return { page, frame, left, times }
}

/** Elements and attributes in the frame that would load, run or navigate. */
async function wrongsIn(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => [
      ...(/^(?:base|embed|form|frame|iframe|link|object|template)$/.test(element.localName)
        ? [element.localName]
        : []),
      ...(element.hasAttribute('http-equiv') ? ['http-equiv'] : []),
      ...[...element.attributes].flatMap(({ name, value }) =>
        /^on|^(?:action|formaction|ping|poster|srcdoc|srcset|target)$/.test(name) ||
        (/(?:^|:)(?:href|src)$/.test(name) && !/^(?:#|data:)/.test(value))
          ? [`${element.localName}[${name}=${value}]`]
          : [],
      ),
    ]),
  )
}

it('renders a hostile file without running scripts, sending requests or navigating', async () => {
  const { page, frame, left, times } = await opened(HOSTILE)
  await frame.getByRole('heading', { name: 'Report' }).waitFor()
  await expect
    .poll(async () =>
      frame.evaluate(() => getComputedStyle(document.querySelector('h1') ?? document.body).color),
    )
    .toBe('rgb(1, 2, 3)')
  await expect.poll(async () => frame.getByText('511').count()).toBe(1)
  const [width, color] = await frame
    .locator('rect')
    .first()
    .evaluate((one) => [one.getBoundingClientRect().width, getComputedStyle(one).fill])
  expect([width, color]).toEqual([20, 'rgb(68, 136, 0)'])
  await expect.poll(async () => frame.locator('img[src^="data:"]').count()).toBe(1)
  expect(await wrongsIn(frame)).toEqual([])
  for (const name of ['web', 'script', 'server', 'data', 'here', 'svg', 'Bare', 'Text'])
    await frame.getByText(name, { exact: true }).first().dispatchEvent('click')
  await frame.evaluate(() => {
    for (const element of document.querySelectorAll('*'))
      for (const type of ['mouseover', 'focus', 'error', 'load', 'toggle'])
        element.dispatchEvent(new Event(type))
  })
  // A refresh after 0 seconds would have happened by now.
  await frame.evaluate(async () => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(left).toEqual([])
  expect([...times.keys()].filter((name) => /refresh|\.css|\.png/.test(name))).toEqual([])
  // The page itself has asked for the owner of the key.
  expect(times.get('GET /v1/me')).toBe(1)
  expect(new URL(frame.url()).pathname).toBe('/preview')
  expect(new URL(page.url()).origin).toBe(satchel.url)
  expect(await frame.evaluate(() => [self.origin, 'pwned' in globalThis])).toEqual(['null', false])
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
  const refused = complaints.splice(0)
  // The browser reports what the frame's policy refused: the style sheet's URLs, and no script.
  for (const complaint of refused)
    expect(complaint).toMatch(/(?:base-uri|style-src|img-src|font-src)[ a-z:'-]*"/)
})

it.each([['a desktop', {}] as const, ['a phone', PHONE] as const])(
  'shows the page or its source on %s',
  async (_, options) => {
    const { page, frame } = await opened('<style>p{color:rgb(4, 5, 6)}</style><p>Hello</p>', options)
    await frame.getByText('Hello').waitFor()
    const iframe = panel(page).locator('iframe')
    await expect.poll(async () => iframe.getAttribute('sandbox')).toBe('allow-scripts')
    await expect.poll(async () => (await iframe.boundingBox())?.height).toBeGreaterThan(300)
    await panel(page).getByRole('button', { name: 'Source' }).click()
    await panel(page).locator('pre').getByText('<p>Hello</p>').waitFor()
    await expect.poll(async () => iframe.count()).toBe(0)
  },
)

it('the frame accepts text once, and only from the page that embeds it', async () => {
  const { frame } = await opened('<p>First</p>')
  await frame.getByText('First').waitFor()
  await frame.evaluate(() => parent.postMessage('<p>Up</p>', '*'))
  await frame.evaluate(() => window.postMessage('<p>Second</p>', '*'))
  // Messages have arrived by now.
  await frame.evaluate(async () => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(await frame.locator('p').allInnerTexts()).toEqual(['First'])
  // Opened directly, the document has no origin and shows nothing.
  const alone = await visit(`${satchel.url}/preview`)
  await expect
    .poll(async () => alone.evaluate(() => [self.origin, document.body.innerText.trim()]))
    .toEqual(['null', ''])
})
