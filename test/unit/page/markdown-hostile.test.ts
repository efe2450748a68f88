// Guards that no text stops the page: parsing always ends, both for whole and for growing text. The bounds are hundreds
// of times the usual work, and a quadratic parser would exceed them.

import { expect, it } from 'vitest'

import { createLiveMarkdown } from '../../../src/page/markdown/live.tsx'
import { drawn, whole } from './drawn.ts'

const N = 50_000
/** Time on a processor, because other work on the machine does not count. */
const processorMs = (): number => process.cpuUsage().user / 1000
const times = (text: string): string => text.repeat(Math.ceil(N / text.length))
const FORMS: readonly (readonly [what: string, text: string])[] = [
  ['quotes in quotes', '>'.repeat(N)],
  ['lists in lists', Array.from({ length: 300 }, (_, n) => `${' '.repeat(n * 2)}- a`).join('\n')],
  ['open brackets', '['.repeat(N)],
  ['open pictures', '!['.repeat(N / 2)],
  ['open links', times('[a](')],
  ['nested links', `${'['.repeat(N / 4)}a${'](b)'.repeat(N / 4)}`],
  ['open emphasis', times('_a')],
  ['open strong emphasis', times('**a ')],
  ['closing emphasis', times('a** ')],
  ['mixed emphasis', times('*_~~a ')],
  ['backticks of growing length', Array.from({ length: 300 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['spaces', `a${' '.repeat(N)}b`],
  ['tabs', '\t'.repeat(N)],
  ['line breaks', '\n'.repeat(N)],
  ['rows of bars', times('|')],
  ['a wide table', `${'|a'.repeat(5_000)}\n${'|-'.repeat(5_000)}\n${'|b\n'.repeat(200)}`],
  ['open tags', times('<a ')],
  ['entities', times('&amp;')],
  ['open entities', '&'.repeat(N)],
  ['escapes', '\\'.repeat(N)],
  ['definitions', times('[a]: b\n')],
  ['open definitions', times('[a\n')],
  ['addresses', times('http://a.b/')],
  ['e-mail addresses', times('a@b.c')],
  ['dots', times('a.')],
  ['fences', times('```\n')],
  ['setext lines', times('a\n=\n')],
  ['numbers', times('1. ')],
  ['open formulas', times('\\(')],
  ['open displayed formulas', times('\\[a')],
  ['open formulas between dollars', times('$$a\n')],
  ['dollars', '$'.repeat(N)],
  ['direction marks', '\u202e'.repeat(N)],
]

it.each(FORMS)('ends with %s', (_, text) => {
  const began = processorMs()
  const shown = whole(text)
  expect(processorMs() - began).toBeLessThan(20_000)
  expect(shown.length).toBeLessThan(N * 40)
})

it.each(FORMS)('ends with %s in 20 parts', (_, text) => {
  const live = createLiveMarkdown(() => 0)
  const part = Math.ceil(text.length / 20)
  const began = processorMs()
  for (let end = part; end < text.length; end += part) live.update(text.slice(0, end), false)
  live.update(text, true)
  expect(processorMs() - began).toBeLessThan(20_000)
  expect(drawn(live.render())).toBe(whole(text))
})
