// Guards the page reader against pages: whatever a page contains, it is read, truncated or refused with an explanation,
// and the next page is read normally.

import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import type { DocumentText } from '../../src/files/documents/document.ts'
import { documentReader } from '../../src/files/documents/reader.ts'
import { utf8 } from '../../src/lib/bytes.ts'
import type { Result } from '../../src/lib/result.ts'
import { HTML_MAX_BYTES } from '../../src/files/documents/child/html/limits.ts'
import { DOCUMENT_TEXT_MAX_CHARS } from '../../src/files/documents/child/common/limits.ts'
import { HTML_LINKS_MAX } from '../../src/limits/files.ts'

const NEVER = new AbortController().signal

async function read(html: string): Promise<Result<DocumentText, string>> {
  const hints = { base: 'https://example.com/' }
  return documentReader(env.LOADER, env.ASSETS ?? null).read('html', utf8(html), { signal: NEVER }, hints)
}

// Whatever the last page did to the isolate, the next one is read.
afterEach(async () => {
  expect(await read('<p>as <b>ever</b>')).toMatchObject({ ok: true, value: { text: 'as **ever**' } })
})

const MB = 1_048_576
const PAGES: Readonly<Record<string, string>> = {
  'nested elements': `${'<div>'.repeat(100_000)}deep`,
  'unclosed elements': '<b><i>x'.repeat(100_000),
  'closing tags without opening ones': `${'<div>'.repeat(20_000)}${'</b>x'.repeat(400_000)}`,
  'an attribute of megabytes': `<p title="${'a'.repeat(10 * MB)}">shown</p>`,
  'an attribute that never ends': `shown<a href="${'x'.repeat(8 * MB)}`,
  'a hundred thousand attributes': `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')}>shown</p>`,
  'a table of rows': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(150_000)}</table>`,
  'a table of columns': `<table><tr>${'<td>a</td>'.repeat(200_000)}</tr></table>`,
  'nested tables': '<table><tr><td>a</td><td>'.repeat(3_000),
  entities: `<p>${'&amp;&lt;&#x41;&none;'.repeat(300_000)}`,
  brackets: '<'.repeat(4 * MB),
  scripts: `${'<script>"<b>"</script>'.repeat(100_000)}shown`,
  'a script that never ends': `<p>shown</p><script>${'x'.repeat(8 * MB)}`,
  comments: `${'<!-- x -->'.repeat(300_000)}shown`,
  'a comment that never ends': `<p>shown</p><!--${'-'.repeat(8 * MB)}`,
  'nested lists': '<ul><li>a'.repeat(30_000),
  'an endless list': `<ul>${'<li>item'.repeat(200_000)}`,
  'nested quotes': '<blockquote>a<p>b'.repeat(20_000),
  'a line of links': '<a href="/p">a</a>'.repeat(200_000),
  'significant spaces': `<pre>x${' '.repeat(2 * MB)}y${'\n'.repeat(2 * MB)}z</pre>`,
  'unusual spaces': `<p>x${'\u00a0'.repeat(2 * MB)}y`,
  'runs of backticks': `<p><code>${Array.from({ length: 1_000 }, (_, at) => '`'.repeat(at)).join('a')}</code>`,
  'nested structured data': `<script type="application/ld+json">${'['.repeat(500_000)}</script>shown`,
  'a title of a million bars': `<title>${'a | '.repeat(500_000)}</title><p>shown</p>`,
  'nested forms': `${'<form><input>'.repeat(50_000)}shown`,
  'noscript text': '<noscript><img src=x></noscript><p>t'.repeat(30_000),
  'nothing but zeros': '\0'.repeat(4 * MB),
}

it.each(Object.keys(PAGES))(
  'reads, cuts or refuses %s',
  async (name) => {
    const answer = await read(PAGES[name] ?? '')
    if (!answer.ok) {
      // In our own words, which do not say that the reader crashed.
      expect(answer.error).toMatch(/has no readable text|too long to read/)
      return
    }
    const { text, links = [] } = answer.value
    expect(text.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThanOrEqual(DOCUMENT_TEXT_MAX_CHARS)
    expect(links.length).toBeLessThanOrEqual(HTML_LINKS_MAX)
  },
  60_000,
)

it('says that a page has more bytes than it reads', async () => {
  const answer = await read(`<p>shown</p>${' '.repeat(HTML_MAX_BYTES)}`)
  expect(answer).toMatchObject({
    value: { text: 'shown', cut: expect.stringContaining(String(HTML_MAX_BYTES)) },
  })
}, 60_000)

it('says that a page has more text than it reads', async () => {
  const answer = await read(`<p>${'word, '.repeat(300_000)}</p>`)
  expect(answer).toMatchObject({ value: { cut: expect.stringContaining('longer') } })
}, 60_000)
