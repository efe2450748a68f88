// Guards the text of web pages: an article becomes Markdown, a page without one is kept whole, and visible links are
// listed; all in a separate isolate, by the same path as in the Worker.

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { DocumentHints, DocumentText } from '../../src/files/documents/document.ts'
import { documentReader } from '../../src/files/documents/reader.ts'
import { utf8 } from '../../src/lib/bytes.ts'

const NEVER = new AbortController().signal
const BASE = 'https://docs.example.com/guide/page.html'

async function read(html: string | Uint8Array, hints: DocumentHints = { base: BASE }): Promise<DocumentText> {
  const bytes = typeof html === 'string' ? utf8(html) : html
  const answer = await documentReader(env.LOADER, env.ASSETS ?? null).read(
    'html',
    bytes,
    { signal: NEVER },
    hints,
  )
  if (!answer.ok) throw new Error(answer.error)
  return answer.value
}

const PROSE = 'The tide tables of the harbour are printed each autumn, and every pilot keeps a copy. '.repeat(
  4,
)

const ARTICLE = `<!doctype html><html lang="en"><head><title>How the tides are told</title>
<meta name="author" content="Ada Quay"><meta property="article:published_time" content="2026-03-04">
<meta property="og:site_name" content="Harbour News"></head><body>
<nav><ul><li><a href="/">Home</a><li><a href="/about">About us</a></ul></nav>
<article><h1>How the tides are told</h1><p>${PROSE}</p>
<h2>Moon and sun</h2><p>${PROSE} See <a href="../tables.html#spring">the tables</a> or <a href="//example.org/a_b(c)">others</a>.</p>
<ul><li>spring tide<li>neap tide <ol><li>first quarter<li>last quarter</ol></ul>
<table><caption>Heights</caption><tr><th>Day</th><th>Metres</th></tr><tr><td>1</td><td>3.2 | 3.4</td></tr></table>
<pre><code class="language-python">def height(t):
    return 3 * "\`\`\`"</code></pre>
<p>Call <code>height(1)</code> and <b>mind</b> the <del>old</del> <em>new</em> datum.</p>
<figure><img src="/tide.png" alt="A tide gauge"><figcaption>The gauge</figcaption></figure>
<blockquote><p>Time and tide wait for none.</p></blockquote><p>${PROSE}</p></article>
<footer>Imprint <a href="https://example.net/imprint">here</a></footer>
<script>document.write('no')</script></body></html>`

describe('an article', () => {
  it('is Markdown with headings, lists, tables, code, links, images and metadata', async () => {
    const { text, cut, parts } = await read(ARTICLE)
    expect({ cut, parts }).toEqual({ cut: null, parts: 1 })
    const paragraph = PROSE.trim()
    expect(text).toBe(`# How the tides are told

Ada Quay · 2026-03-04 · Harbour News

${paragraph}

## Moon and sun

${paragraph} See [the tables](https://docs.example.com/tables.html#spring) or [others](<https://example.org/a_b(c)>).

- spring tide
- neap tide
  1. first quarter
  2. last quarter

Heights

| Day | Metres |
| --- | --- |
| 1 | 3.2 \\| 3.4 |

\`\`\`\`python
def height(t):
    return 3 * "\`\`\`"
\`\`\`\`

Call \`height(1)\` and **mind** the ~~old~~ *new* datum.

![A tide gauge](https://docs.example.com/tide.png)

The gauge

> Time and tide wait for none.

${paragraph}`)
  })

  it('lists its visible links, those of the article first, absolute and each once', async () => {
    expect((await read(ARTICLE)).links).toEqual([
      'https://docs.example.com/tables.html',
      'https://example.org/a_b(c)',
      'https://docs.example.com/',
      'https://docs.example.com/about',
      'https://example.net/imprint',
    ])
  })

  it('keeps its relative links if its URL is unknown', async () => {
    const { text, links } = await read(ARTICLE, {})
    expect(text).toContain('See the tables or others.')
    expect(links).toEqual(['https://example.net/imprint'])
  })
})

describe('a page without an article', () => {
  it('is its whole body without navigation', async () => {
    const { text } = await read(`<title>Products</title><nav>Home Shop</nav><h1>All lamps</h1>
      <ul>${['Oak', 'Ash', 'Elm'].map((name) => `<li><a href="/l/${name}">${name} lamp</a> 12 €`).join('')}</ul>
      <form><input value="q"><button>Search</button></form><footer>Imprint</footer>`)
    expect(text).toBe(`# Products

# All lamps

- [Oak lamp](https://docs.example.com/l/Oak) 12 €
- [Ash lamp](https://docs.example.com/l/Ash) 12 €
- [Elm lamp](https://docs.example.com/l/Elm) 12 €`)
  })

  it('that shows nothing says why', async () => {
    await expect(read('<title>App</title><div id="root"></div><script>run()</script>')).rejects.toThrow(
      'scripts',
    )
  })
})

describe('hidden links', () => {
  const HIDDEN = [
    '<a style="display:none" href="https://bad.example/1">x</a>',
    '<div style="font-size:0"><p><a href="https://bad.example/2">x</a></p></div>',
    '<div hidden><a href="https://bad.example/3">x</a></div>',
    '<span aria-hidden="true"><a href="https://bad.example/4">x</a></span>',
    '<a style="position:absolute;left:-9999px" href="https://bad.example/5">x</a>',
    '<a href="https://bad.example/6"></a>',
    '<a href="https://bad.example/7"><span style="display:none">x</span></a>',
    '<template><a href="https://bad.example/8">x</a></template>',
    '<!-- <a href="https://bad.example/9">x</a> -->',
    '<noscript><a href="https://bad.example/10">x</a></noscript>',
    '<div style="opacity:0"><a href="https://bad.example/11">x</a></div>',
    '<a href="https://bad.example/12"> &nbsp; </a>',
    '<a href="javascript:go()">x</a><a href="data:text/html,x">x</a><a href="mailto:a@b.c">x</a>',
    '<a href="https://user:pass@bad.example/13">x</a>',
  ]
  it('are not among those of the page', async () => {
    const { links } = await read(
      `<p>${PROSE}<a href="https://good.example/">seen</a></p>${HIDDEN.join('\n')}`,
    )
    expect(links).toEqual(['https://good.example/'])
  })

  it('do not include links that show a picture', async () => {
    const html = `<p>${PROSE}</p><a href="/a"><img src="a.png"></a><a href="/b"><svg><path/></svg></a>`
    expect((await read(html)).links).toEqual(['https://docs.example.com/a', 'https://docs.example.com/b'])
  })

  it('and visible ones are limited to 500', async () => {
    const many = Array.from({ length: 800 }, (_, at) => `<a href="/${at}">link ${at}</a> `).join('')
    expect((await read(`<p>${many}</p>`)).links).toHaveLength(500)
  })
})

describe('a page in a charset', () => {
  const WORDS = '<p>Übergröße café</p>'.repeat(20)
  const latin = (html: string): Uint8Array => Uint8Array.from(html, (char) => char.charCodeAt(0))
  it.each([
    ['undeclared', latin(WORDS), {}],
    ['declared in its head', latin(`<meta charset="iso-8859-1">${WORDS}`), {}],
    ['declared wrongly by its server', latin(WORDS), { charset: 'utf-8' }],
    ['that is UTF-8 whatever its server says', utf8(WORDS), { charset: 'iso-8859-1' }],
  ])('%s is decoded correctly', async (_, bytes, hints) => {
    expect((await read(bytes, hints)).text).toContain('Übergröße café')
  })
})

it('uses the base URL that a page declares', async () => {
  const { links } = await read('<base href="https://other.example/x/"><p>words <a href="y">y</a></p>')
  expect(links).toEqual(['https://other.example/x/y'])
})
