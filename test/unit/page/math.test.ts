// Promise: formulas are recognized by their delimiters alone, money stays text, and hostile TeX yields nothing but elements of
// mathematics, quickly.

import { describe, expect, it } from 'vitest'

import { layOutTex, type MathElement } from '../../../src/page/markdown/tex.ts'
import { whole } from './drawn.ts'

describe('Markdown with mathematics', () => {
  it.each<[what: string, text: string, shown: string]>([
    ['an inline formula', 'so \\(a_1 * b_1\\).', '<p>so <formula>a_1 * b_1</formula>.</p>'],
    ['a formula between dollars', 'so $$a^2$$ is', '<p>so <formula displayed>a^2</formula> is</p>'],
    [
      'a formula on separate lines',
      'a\n$$\nx\n= y\n$$\nb',
      '<p>a</p><formula displayed>x\n= y</formula><p>b</p>',
    ],
    ['a formula in brackets', '\\[\n- a \\\\\n+ b\n\\]', '<formula displayed>- a \\\\\n+ b</formula>'],
    ['a formula in a list', '- a\n\n  $$b$$', '<ul><li><p>a</p><formula displayed>b</formula></li></ul>'],
    ['prices', 'It costs $5 and $10, or $x$.', '<p>It costs $5 and $10, or $x$.</p>'],
    ['two dollars', 'earn $$ and more $$ too', '<p>earn $$ and more $$ too</p>'],
    ['escaped brackets', 'see \\[1\\] and \\[a, b\\]', '<p>see [1] and [a, b]</p>'],
    ['a formula without an end', '$$\n# a\n\nb', '<p>$$\n# a</p><p>b</p>'],
    [
      'code',
      '`\\(a\\)` and\n\n    $$b$$\n',
      '<p><code>\\(a\\)</code> and</p><code-block >$$b$$\n</code-block>',
    ],
  ])('keeps %s', (_, text, shown) => {
    expect(whole(text)).toBe(shown)
  })
})

function elementsOf(element: MathElement): readonly MathElement[] {
  return [
    element,
    ...element.children.flatMap((child) => (typeof child === 'string' ? [] : elementsOf(child))),
  ]
}
const layOut = (tex: string) => layOutTex({ tex, isDisplayed: true })

describe('TeX', () => {
  it('becomes elements of mathematics', () => {
    const tags = elementsOf(layOut('\\frac{a_1}{\\sqrt{2}}') ?? expect.fail()).map(({ tag }) => tag)
    expect(tags).toEqual(expect.arrayContaining(['math', 'mfrac', 'msub', 'mi', 'msqrt', 'mn']))
  })

  const RUNS = 'globalThis.pwned=1'
  it.each([
    `\\href{javascript:${RUNS}}{x}`,
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/p.png}',
    `\\htmlData{onclick=${RUNS}}{x}`,
    '\\style{position:fixed;inset:0;background:url(https://evil.example)}{x}',
    '\\class{dialog}{x} \\id{root}{x}',
    `\\text{<img src=x onerror="${RUNS}">} \\unicode{x}`,
    '\\color{url(https://evil.example)}x',
    '\\textcolor{white}{\\colorbox{white}{hidden}}',
    '\\label{root} \\ref{root} \\tag{<b>}',
    '\\def\\a{\\a\\a}\\a',
    '\\newcommand{\\b}[1]{#1#1#1#1}\\b{\\b{\\b{\\b{\\b{\\b{\\b{\\b{xxxxxxxxxxxx}}}}}}}}',
    `${'\\frac{'.repeat(150)}x${'}{y}'.repeat(150)}`,
    '\\hspace{-900em}\\raisebox{900em}{x}\\rule{900em}{900em}',
    'x^'.repeat(900),
    '{'.repeat(1_900),
    '\\begin{array}{' + 'c'.repeat(900) + '}1\\end{array}',
  ])('such as %s is inert', (tex) => {
    let element: MathElement | null = null
    try {
      element = layOut(tex)
    } catch {
      // Its source is shown.
    }
    for (const { tag, attributes, style } of element ? elementsOf(element) : []) {
      expect(tag).toMatch(/^m[a-z]+$/)
      for (const [name, value] of [...Object.entries(attributes), ...Object.entries(style)]) {
        expect(name).not.toMatch(/^on|href|src|^id$|^style$|color|background|position|transform/i)
        expect(value).toMatch(/^[-+#.,%\w ]*$/)
        for (const [size] of value.matchAll(/[\d.]+(?=em)/g)) expect(Number(size)).toBeLessThanOrEqual(20)
      }
      expect(attributes['class'] ?? 'tml-').toMatch(/^(?:tml|wbk|chr|ff)-/)
    }
  })
})
