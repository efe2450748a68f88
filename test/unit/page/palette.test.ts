// Guards the palette: what it offers for a query, in an order in which late results move nothing, and excerpts without Markdown.

import { expect, it } from 'vitest'

import { withoutMarkdown } from '../../../src/page/lib/plain-text.ts'
import { groupsFor, type PaletteAction, type PaletteSources } from '../../../src/page/palette/entries.ts'
import { matchedParts } from '../../../src/page/palette/match.ts'
import type { ListedSkill } from '../../../src/page/state/library/skills.ts'
import type { FoundThread } from '../../../src/thread/api.ts'
import { skill } from '../../browser/walk-data.ts'
import { threadInfo } from './ports.ts'

const row = (id: string, title: string) => ({
  id,
  threadIds: [id],
  title,
  time: '2026-03-04T09:00:00.000Z',
  isBusy: false,
  isWaiting: false,
})
const action = (title: string, words = ''): PaletteAction => ({
  id: title,
  icon: 'plus',
  title,
  keywords: words,
  run: () => undefined,
})
// The library adds only whether a skill can be called.
const listed = (name: string) => ({ ...skill(name), callable: true }) as unknown as ListedSkill
const found = (id: string, title: string, match: FoundThread['match'] = null): FoundThread => ({
  ...threadInfo(id, { title }),
  match,
})

function shown(query: string, given: Partial<PaletteSources> = {}): Record<string, readonly string[]> {
  const groups = groupsFor({
    query,
    rows: Array.from({ length: 8 }, (_, at) => row(`th_${at}`, `Plan ${at} of the outage`)),
    actions: [
      action('New thread'),
      action('Needs you', 'inbox'),
      { ...action('Export this thread'), isRare: true },
    ],
    skills: [listed('plan-review'), listed('review')],
    found: [],
    openThread: () => undefined,
    openSkill: () => undefined,
    ...given,
  })
  return Object.fromEntries(groups.map(({ label, entries }) => [label, entries.map(({ title }) => title)]))
}

it('offers recent threads and all actions before anything is typed', () => {
  expect(shown('')).toEqual({
    'Recent threads': [0, 1, 2, 3, 4].map((at) => `Plan ${at} of the outage`),
    Actions: ['New thread', 'Needs you'],
  })
})

it('finds by word prefixes, in any order, and actions by synonyms', () => {
  expect(shown('out pl 7')).toEqual({ Threads: ['Plan 7 of the outage'] })
  expect(shown('inb')).toEqual({ Actions: ['Needs you'] })
  expect(shown('exp')).toEqual({ Actions: ['Export this thread'] })
  expect(shown('lan')).toEqual({})
  expect(shown('plan-r')).toEqual({ Skills: ['plan-review'] })
  expect(shown('REVIEW')).toEqual({ Skills: ['plan-review', 'review'] })
  expect(shown('"*(')).toEqual({})
})

it.each([
  ['out', 'Checkout outage, out', 'Checkout [out]age, [out]'],
  ['a plan', 'A plan: plan a', '[A] [plan]: [plan] [a]'],
  ['co code', 'code-review', '[code]-review'],
  ['i', 'İ is', 'İ is'],
  ['plan', '🙂 plan', '🙂 [plan]'],
  ['', 'Plan', 'Plan'],
])('highlights the match of “%s” in a title', (query, title, expected) => {
  const parts = matchedParts(title, query).map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
  expect(parts.join('')).toBe(expected)
})

it('lists results of the server at the end, each thread once', () => {
  const late = [found('th_0', 'Plan 0 of the outage'), found('th_9', '')]
  expect(Object.entries(shown('plan', { found: late }))).toEqual([
    ['Threads', [0, 1, 2, 3, 4].map((at) => `Plan ${at} of the outage`)],
    ['Skills', ['plan-review']],
    ['Messages', ['New thread']],
  ])
})

it.each([
  ['## Plan: the **big ', 'outage', '** of `Monday`', 'Plan: the big |outage| of Monday'],
  [
    'see [the *log* of ',
    'outage',
    '](https://a.example/b?c) and ![a picture](/p',
    'see the log of |outage| and a picture',
  ],
  ['| Metric | Value |\n|:---|---:|\n| ', 'outage', ' | 12 |', 'Metric Value |outage| 12'],
  ['- [x] fix the _', 'outage', '_\n- and ~~more~~', 'fix the |outage| and more'],
  [
    '1. the snake_case ',
    'outage',
    ' of 2*3 or 2 * 3, a - b',
    'the snake_case |outage| of 2*3 or 2 * 3, a - b',
  ],
  ['> quoted \uE000', 'outage', '\uE001 <https://a.example>', 'quoted |outage| https://a.example'],
  ['[a](https://', 'outage', '.example) b', '[a](https://|outage|.example) b'],
])('an excerpt has no Markdown: %s%s%s', (before, hit, after, expected) => {
  const plain = withoutMarkdown({ before, hit, after })
  expect(`${plain.before}|${plain.hit}|${plain.after}`.replaceAll(/\s+/g, ' ').trim()).toBe(expected)
})
