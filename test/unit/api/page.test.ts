// Guards the pages of lists in memory: every item appears once and in order, even if others are added or removed
// between two pages.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pageFrom } from '../../../src/api/fields/page.ts'

type Order = 'ascending' | 'descending'

/** All pages in turn; `between` may change the list before each one. */
function walk(
  items: readonly string[],
  limit: number,
  order: Order,
  between: (page: number) => readonly string[],
) {
  const seen: string[] = []
  let cursor: string | null = null
  let list = items
  for (let page = 0; page < 1_000; page++) {
    const result: ReturnType<typeof pageFrom<string>> = pageFrom(
      { cursor, limit },
      list,
      (item) => item,
      order,
    )
    if (!result.ok) throw new Error(result.error.detail)
    seen.push(...result.value.data)
    cursor = result.value.next_cursor
    if (cursor === null) return seen
    list = between(page)
  }
  throw new Error('the pages never end')
}

const LISTS = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 30 })
const ORDER = fc.constantFrom<Order>('ascending', 'descending')

it('pages have every item once, in order, whatever the limit', () => {
  fc.assert(
    fc.property(LISTS, fc.integer({ min: 1, max: 100 }), ORDER, (items, limit, order) => {
      const sorted = items.toSorted((a, b) => (a < b ? -1 : 1))
      const expected = order === 'ascending' ? sorted : sorted.toReversed()
      expect(walk(items, limit, order, () => items)).toEqual(expected)
    }),
  )
})

it('an item that stays is neither lost nor repeated while others are added and removed', () => {
  fc.assert(
    fc.property(LISTS, LISTS, fc.integer({ min: 1, max: 5 }), ORDER, (staying, moving, limit, order) => {
      const others = moving.filter((item) => !staying.includes(item))
      const seen = walk(staying, limit, order, (page) => (page % 2 === 0 ? [...staying, ...others] : staying))
      expect(new Set(seen).size).toBe(seen.length)
      for (const item of staying) expect(seen).toContain(item)
    }),
  )
})
