// Guards streaming Markdown: wherever it was split, a growing answer ends up looking like a whole one; finished parts
// are not rendered again, and unclosed marks cause no jumps.

import fc from 'fast-check'
import type { ComponentChild, VNode } from 'preact'
import { describe, expect, it } from 'vitest'

import { createLiveMarkdown, type LiveMarkdown } from '../../../src/page/markdown/live.tsx'
import { hideIncompleteSyntax } from '../../../src/page/markdown/incomplete-syntax.ts'
import { casesOr } from '../../fuzz/seed.ts'
import { drawn, whole } from './drawn.ts'

/** What turns one block into another, and what must not. */
const PIECES = [
  '# a\n',
  'word ',
  '**bold** ',
  '\n',
  '\n\n',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '  ',
  '    ',
  '\t',
  '> ',
  '```\n',
  '```ts\n',
  '````\n',
  '~~~\n',
  '| a | b |\n',
  '|---|:-:|\n',
  '| 1 |\n',
  '|',
  '---\n',
  '===\n',
  '***\n',
  '[ ] ',
  '[a]',
  '[a]: http://x.y/z\n',
  '"t"\n',
  '<b>',
  '`x`',
  '`',
  '_',
  '~~',
  '\r\n',
  '\r',
  '👋🏽',
  '\\',
  'www.a.com ',
  '3. b\n',
  '$$',
  '$$\n',
  '\\(a^1',
  '\\)',
  '\\[\n',
  '\\]\n',
]
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''))
const cuts = fc.array(fc.nat(400), { maxLength: 12 })

function grown(text: string, at: readonly number[]): LiveMarkdown {
  const live = createLiveMarkdown(() => 0)
  for (const excerptOf of at.toSorted((a, b) => a - b)) live.update(text.slice(0, excerptOf), false)
  live.update(text, true)
  return live
}

/** The vnodes of blocks, by their keys. */
function blocks(live: LiveMarkdown): ReadonlyMap<unknown, VNode> {
  const parts = live.render() as readonly VNode<{ children: readonly VNode[] }>[]
  return new Map(parts.flatMap(({ props }) => props.children.map((block) => [block.key, block] as const)))
}

describe('a growing answer', () => {
  it('keeps the text after a table out of it, even if both arrived at once', () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n'
    const text = `${table}\nafter it\n\nmore`
    expect(drawn(grown(text, [text.length - 7]).render())).toBe(whole(text))
    const live = createLiveMarkdown(() => 0)
    live.update(`${table}\nafter`, false)
    expect(drawn(live.render())).toMatch(/<\/table><p>after<\/p>$/)
  })

  it('ends like a whole one, wherever it was split', () => {
    fc.assert(
      fc.property(texts, cuts, (text, at) => {
        expect(drawn(grown(text, at).render())).toBe(whole(text))
      }),
      { numRuns: casesOr(3_000) },
    )
  })

  it('ends like a whole one even letter by letter', () => {
    const text =
      '# Report\n\nSome *words* [here][r].\n\n| a | b |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n\n1. one\n2. two\n   ```js\n   a()\n   ```\n3. three\n\n```py\nprint(1)\n```\n\n[r]: http://a.b/\n'
    const live = createLiveMarkdown(() => 0)
    for (let end = 1; end <= text.length; end++) live.update(text.slice(0, end), false)
    live.update(text, true)
    expect(drawn(live.render())).toBe(whole(text))
  })

  it('keeps the vnodes of finished blocks, also at its end', () => {
    const live = createLiveMarkdown(() => 0)
    live.update('one\n\n- two\n- three\n\nfour\n\nfi', false)
    const before = blocks(live)
    live.update('one\n\n- two\n- three\n\nfour\n\nfive\n\nsix\n', false)
    live.update('one\n\n- two\n- three\n\nfour\n\nfive\n\nsix\n\nseven', true)
    const after = blocks(live)
    expect([0, 1].map((key) => after.get(key) === before.get(key))).toEqual([true, true])
    expect(after.size).toBe(6)
  })

  it('starts over when the text is another', () => {
    const live = createLiveMarkdown(() => 0)
    live.update('one\n\ntwo\n\nthree', false)
    live.update('uno\n\ndue', false)
    expect(drawn(live.render())).toBe('<p>uno</p><p>due</p>')
    live.update('uno\n\ndue', true)
    live.update('uno\n\ndue\n\ntre', true)
    expect(drawn(live.render())).toBe('<p>uno</p><p>due</p><p>tre</p>')
  })

  it('shows open code as it arrives, and never its closing fence', () => {
    const live = createLiveMarkdown(() => 0)
    const steps = ['```ts\nco', '```ts\nconst a\n``', '```ts\nconst a\n```', '```ts\nconst a\n```\nb']
    const shown = steps.map((text) => {
      live.update(text, false)
      return drawn(live.render())
    })
    expect(shown).toEqual([
      '<code-block ts live>co</code-block>',
      '<code-block ts live>const a\n</code-block>',
      '<code-block ts live>const a\n</code-block>',
      '<code-block ts>const a\n</code-block><p>b</p>',
    ])
  })

  it('adds rows to an open table without parsing earlier ones again', () => {
    const live = createLiveMarkdown(() => 0)
    const head = '| a |\n|---|\n'
    live.update(`${head}| 1 |\n`, false)
    const rows = (): readonly ComponentChild[] => {
      const table = blocks(live).get(0) as VNode<{ children: VNode<{ children: readonly ComponentChild[] }> }>
      const box = table.props.children as VNode<{
        children: readonly [unknown, VNode<{ children: readonly ComponentChild[] }>]
      }>
      return box.props.children[1].props.children
    }
    const [first] = rows()
    live.update(`${head}| 1 |\n| 2 |\n| 3`, false)
    expect(rows().map(drawn)).toEqual(['1', '2', '3'].map((cell) => `<tr><td>${cell}</td></tr>`))
    expect(rows()[0]).toBe(first)
  })

  it('pauses in proportion to the parsing time, and to a long open block', () => {
    let at = 0
    const live = createLiveMarkdown(() => (at += 5))
    live.update('a', false)
    expect(live.pauseMs()).toBe(20)
    const still = createLiveMarkdown(() => 0)
    still.update(`- ${'a\n- '.repeat(5_000)}`, false)
    expect(still.pauseMs()).toBe(250)
    still.update(`\`\`\`\n${'a\n'.repeat(10_000)}`, false)
    expect(still.pauseMs()).toBe(0)
  })
})

describe('unclosed marks', () => {
  it.each([
    ['a **b', 'a **b**'],
    ['a **b*', 'a **b**'],
    ['a **b** c', 'a **b** c'],
    ['a **', 'a '],
    ['a `b', 'a `b`'],
    ['a `', 'a '],
    ['a ~~b', 'a ~~b~~'],
    ['`**` b', '`**` b'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see ![the plan](https://exa', 'see the plan'],
    ['see ![the', 'see '],
    ['a\n-', 'a'],
    ['a\n\n1.', 'a\n'],
    ['a\n==', 'a'],
    ['a\n\n``', 'a\n'],
    ['| a | b |', ''],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|\n| 1', '| a | b |\n|---|---|\n| 1'],
    ['```\na **b', '```\na **b'],
    ['snake_case', 'snake_case'],
    ['5 * 3', '5 * 3'],
  ])('are shown as if they were closed: %j', (text, shown) => {
    expect(hideIncompleteSyntax(text)).toBe(shown)
  })
})
