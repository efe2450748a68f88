// Promise: Markdown reads well in a terminal of any width. However its text is split, each line is printed once and the
// same, and nothing in it controls the terminal.

import { expect, test } from 'vitest'

import { styleFor } from '../../../scripts/chat/markdown/style.ts'
import { MarkdownStream } from '../../../scripts/chat/markdown/stream.ts'
import { columnsOf } from '../../../scripts/lib/wrap.ts'
import { seeded } from '../../fuzz/archive-cases.ts'
import { casesOr, SEED } from '../../fuzz/seed.ts'

/** Renders without colours. `cuts`: the offsets at which the text is split. */
function rendered(text: string, width = 60, cuts: readonly number[] = []): string {
  const stream = new MarkdownStream({ width: () => width, style: styleFor(false) })
  const ends = [...cuts, text.length]
  const pieces = ends.flatMap((end, at) => stream.push(text.slice(ends[at - 1] ?? 0, end)))
  return [...pieces, ...stream.end()]
    .map(({ lines, isContinuation }, at) => `${at === 0 || isContinuation ? '' : '\n'}${lines.join('\n')}`)
    .join('\n')
}

const BLOCKS = [
  '# Title\n\n',
  'Words of a *paragraph*,\nthat go on in `code`.\n\n',
  '1. one\n1. two\n   - inner **bold**\n\n     more of it\n1. three\n\n',
  '- [x] done\n- open\n  1. deep\n\n',
  '3. three\n4. four\n\nBehind it.\n\n',
  '```js\nconst a = 1\n\n\n// end\n```\n',
  '````md\n```\ninner\n```\n````\n\n',
  '~~~\nnever *closed*? closed\n~~~\n',
  '> quoted\n> more\n>\n> - item\n\n',
  '| a | b |\n|---|--:|\n| x | 1 |\n| 你好 | 22 |\n\n',
  '    indented code\n\n    goes on\n\n',
  'Setext\n======\n',
  '---\n',
  '<b>tag</b> &amp; &#x202e;\n\n',
]

/** Code in items, which may be closed, left by a less indented line, or never closed. */
const CODE_IN_ITEMS = [
  '- step\n\n  ```js\n  a = 1\n\n  b = 2\n  ```\n\n  after it\n- next\n\n',
  '7. ```\n   x\n\n\n   y\n   ```\n8. eight\n',
  '- a\n  - b\n    ~~~\n    deep\n    deeper\n    ~~~\n  - c\n\nAnd.\n\n',
  '- > ```\n  > quoted\n  > more\n\nOut.\n\n',
  '- ```\n\n  blank before\nleft\n\n',
  '1. one\n2. ```\n   never closed\n   at all\n',
]

test('each kind of block', () => {
  expect(rendered(BLOCKS.join(''), 30)).toMatchInlineSnapshot(`
    "# Title

    Words of a *paragraph*, that
    go on in \`code\`.

    1. one
    2. two
       ◦ inner **bold**

         more of it
    3. three

    • [x] done
    • open
      1. deep

    3. three
    4. four

    Behind it.

        const a = 1


        // end

        \`\`\`
        inner
        \`\`\`

        never *closed*? closed

    │ quoted more
    │ • item

    **a** │ **b**
    ──────┼──────
    x     │     1
    你好  │    22

        indented code

        goes on

    # Setext

    ────────────────────────

    <b>tag</b> &"
  `)
})

test('the same lines are printed wherever the text is split', () => {
  const pool = [...BLOCKS, ...CODE_IN_ITEMS]
  for (let index = 0; index < casesOr(400); index++) {
    const chance = seeded(SEED + index)
    const text = Array.from(
      { length: 1 + chance.below(5) },
      () => pool[chance.below(pool.length)] ?? '',
    ).join('')
    const cuts = Array.from({ length: chance.below(30) }, () => chance.below(text.length)).toSorted(
      (a, b) => a - b,
    )
    expect(rendered(text, 40, cuts), `SEED=${SEED} case ${index}: ${JSON.stringify(text)}`).toBe(
      rendered(text, 40),
    )
  }
})

test('blocks, items and lines of code are printed as soon as they are complete', () => {
  const stream = new MarkdownStream({ width: () => 60, style: styleFor(false) })
  const given = (text: string): string =>
    stream
      .push(text)
      .map(({ lines }) => lines.join('\n'))
      .join('|')
  expect(given('A paragraph,\nof two lines.')).toBe('')
  expect(given('\n\n')).toBe('A paragraph, of two lines.')
  expect(given('- one\n- t')).toBe('')
  expect(given('wo\n- three\n')).toBe('• one\n• two')
  expect(given('\n```\nfirst\n')).toBe('• three|    first')
  expect(given('second')).toBe('')
  expect(given('\n```\n')).toBe('    second')
  expect(given('- step\n  ```\n  first\n')).toBe('• step\n\n      first')
  expect(given('  second\n  thi')).toBe('      second')
  expect(given('rd\n  ```\n- next\n')).toBe('      third')
})

test.each([
  ['code', '- step\n  ```\n', '  a line of code\n'],
  ['paragraphs', '- step\n', '\n  a paragraph of this item\n'],
])('an endless item of %s is printed in parts', (_, start, line) => {
  const stream = new MarkdownStream({ width: () => 60, style: styleFor(false) })
  let shown = stream.push(start).length
  for (let at = 0; at < 100; at++)
    for (const { lines } of stream.push(line.repeat(20))) shown += lines.filter((text) => text !== '').length
  expect(2_000 - shown, 'held back').toBeLessThan(1_000)
})

test('text that never ends is printed in parts', () => {
  const stream = new MarkdownStream({ width: () => 60, style: styleFor(false) })
  let most = 0
  let shown = 0
  for (let at = 0; at < 2_000; at++) {
    const pieces = stream.push('a long word after another '.repeat(2))
    for (const { lines } of pieces) shown += lines.join(' ').length
    most = Math.max(most, (at + 1) * 52 - shown)
  }
  expect(most, 'held back').toBeLessThan(20_000)
})

test('no line of text is wider than the window, by display width; narrow tables become lines', () => {
  const text =
    '- 支付服务支付服务支付服务 and words that are long\n\n> 支付 支付 支付 支付 支付 支付 支付\n\n| name | what it says | more |\n|---|---|---|\n| 支付 | words words words | 支付支付支付 |\n'
  for (const width of [16, 20, 30, 50])
    for (const line of rendered(text, width).split('\n'))
      expect(columnsOf(line), line).toBeLessThanOrEqual(width)
  expect(rendered(text, 20)).toContain('**name**: 支付')
})

test('no control character is printed, for any input', () => {
  const esc = '\x1b'
  const hostile = [
    `${esc}[2Jx`,
    `\`${esc}[31mred${esc}]0;t\x07\``,
    `[a${esc}[1A](http://x/${esc}[2J)`,
    '&#x1b;[2J &#27;c &#x9b;2J &#x202e;b &#13;x',
    `\`\`\`${esc}[2J\n${esc}c\u009b2J\n\`\`\`\n`,
    `| ${esc}[5m | b |\n|--|--|\n| &#x2066; | \u202e |\n`,
    '![i&#x202e;](data:x)',
    '[x](http://a/&#x202e;b "&#27;")',
  ]
  for (const text of hostile) {
    const out = rendered(`${text}\n\n${hostile.join('\n\n')}`)
    expect(out).not.toMatch(/(?!\n)\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u)
  }
})
