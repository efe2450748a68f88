// Model text is untrusted: it becomes text and a few known shapes, never markup, addresses of other kinds or a hang.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseMarkdown, parseSpans } from '../../../src/web/assets/markdown.js'
import { HANG_GUARD } from '../hang-guard.ts'

describe('the small Markdown', () => {
  it('knows headings, paragraphs, lists in lists, code, quotes and rules', () => {
    const text =
      '# Title\nfirst\nsecond\n\n1. one\n   - inner\n2. two\n\n```js\n# no heading\n```\n> said\n\n---'
    expect(parseMarkdown(text)).toMatchObject([
      { kind: 'heading', level: 1, source: 'Title' },
      { kind: 'paragraph', source: 'first\nsecond' },
      {
        kind: 'list',
        items: [
          { indent: 0, start: 1, text: 'one' },
          { indent: 3, start: null, text: 'inner' },
          { indent: 0, start: 2, text: 'two' },
        ],
      },
      { kind: 'code', source: '# no heading' },
      { kind: 'quote', source: 'said' },
      { kind: 'rule' },
    ])
  })

  it('shows a code block that is still streaming in', () => {
    expect(parseMarkdown('```\nlet a = 1\n')).toEqual([{ kind: 'code', source: 'let a = 1\n' }])
  })

  it('leaves markup as the text it is', () => {
    const attack = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
    expect(parseMarkdown(attack)).toEqual([{ kind: 'paragraph', source: attack }])
    expect(parseSpans(attack)).toEqual([{ kind: 'text', text: attack }])
  })

  it('makes links of https addresses only, and no images', () => {
    expect(parseSpans('[a](https://example.com/x?y=1)')).toEqual([
      { kind: 'link', text: 'a', href: 'https://example.com/x?y=1' },
    ])
    for (const href of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://example.com',
      '//example.com',
      '/v1',
    ]) {
      expect(parseSpans(`[a](${href})`)).toEqual([{ kind: 'text', text: `[a](${href})` }])
    }
    expect(parseSpans('![a](https://example.com/p.png)').map((span) => span.kind)).not.toContain('image')
  })

  it('leaves stars inside words and lone marks alone', () => {
    expect(parseSpans('2*3*4 and ** and `')).toEqual([{ kind: 'text', text: '2*3*4 and ** and `' }])
    expect(parseSpans('**b** *i* `c`').map((span) => span.kind)).toEqual([
      'strong',
      'text',
      'em',
      'text',
      'code',
    ])
  })

  it('loses no word of a paragraph', () => {
    const piece = fc.constantFrom('word', '**', '*', '`', '[', '](https://a.b)', ' ', '(', '_')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        const said = parseSpans(text)
          .map((span) => span.text)
          .join('')
        expect(said.split('word').length).toBe(text.split('word').length)
      }),
    )
  })

  it.each(['[', '`', '**', '*a', '[a](https://', '> ', '- ', '  - ', '#', '```\n', '\n', '('])(
    'reads a text of the largest size to its end that is made of %j',
    HANG_GUARD,
    (unit) => {
      const blocks = parseMarkdown(unit.repeat(200_000 / unit.length))
      expect(blocks.flatMap((block) => parseSpans(block.source))).toBeInstanceOf(Array)
    },
  )
})
