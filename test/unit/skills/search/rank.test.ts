// Guards the ranking of skills: the forms of a query, what outranks what, and that no query causes harm.

import { describe, expect, it } from 'vitest'
import { SEARCH_RESULTS_MAX } from '../../../../src/limits/skills.ts'
import { rankSkills } from '../../../../src/skills/search/rank.ts'
import type { IndexEntry } from '../../../../src/skills/skill.ts'
import { entry } from '../store/entries.ts'
import { HANG_GUARD } from '../../hang-guard.ts'

const LIBRARY = [
  entry('chart-maker', { description: 'Draw bar charts and line charts from numbers in Python.' }),
  entry('invoice-reader', { description: 'Extract totals and dates from invoices.', tags: ['accounting'] }),
  entry('meeting-notes', { description: 'Summarize what was said in a meeting.' }),
  entry('pdf-forms', { description: 'Fill in PDF forms.', search_terms: 'signatur|acrobat checkbox' }),
  entry('power-bi-reports', { description: 'Build dashboards.' }),
  entry('pull-request-review', { description: 'Review a change before it is merged.' }),
  entry('release-notes', { description: 'Write what changed between two versions.' }),
  entry('slide-decks', { description: 'Make presentations as PPTX files.' }),
]

function names(query: string, limit?: number, skills: readonly IndexEntry[] = LIBRARY): readonly string[] {
  return rankSkills(skills, query, limit).map((hit) => hit.entry.name)
}

describe('a query of names', () => {
  it('returns every skill that it names, in the order asked, once, and beyond the usual five', () => {
    const all = LIBRARY.map((one) => one.name).toReversed()
    expect(names(`select:${all.join(',')},${all[2]}`)).toEqual(all)
  })

  it('matches whole names only, and ignores unknown names', () => {
    expect(names('select: slide-decks , pdf, nothing-here')).toEqual(['slide-decks'])
    expect(names('select:')).toEqual([])
  })
})

describe('a query with a demanded part of the name', () => {
  it('returns only skills whose name has it, the best matches first', () => {
    expect(names('+notes meeting')).toEqual(['meeting-notes', 'release-notes'])
    expect(names('+NOTES version')).toEqual(['release-notes', 'meeting-notes'])
  })

  it('may demand several parts', () => {
    expect(names('+re +notes')).toEqual(['release-notes'])
    expect(names('+re +forms anything')).toEqual([])
  })

  it('returns nothing for a lone plus or blank', () => {
    for (const query of ['+', ' + ', '', '   ', '+ +']) expect(names(query)).toEqual([])
  })
})

describe('free text', () => {
  it('is found whatever its case, and by several words together', () => {
    expect(names('CHARTS from Python')[0]).toBe('chart-maker')
  })

  it('ranks a name above a tag, a tag above a heading, and a heading above the text', () => {
    const skills = [
      entry('a', { description: 'Other.', search_terms: '|gizmo' }),
      entry('b', { description: 'Other.', search_terms: 'gizmo|' }),
      entry('c', { description: 'Other.', tags: ['gizmo'] }),
      entry('gizmo', { description: 'Other.' }),
    ]
    expect(names('gizmo', 5, skills)).toEqual(['gizmo', 'c', 'b', 'a'])
  })

  it('ranks a name above a description', () => {
    const skills = [
      entry('about', { description: 'Mentions kubernetes.' }),
      entry('kubernetes', { description: 'Pods.' }),
    ]
    expect(names('kubernetes', 5, skills)).toEqual(['kubernetes', 'about'])
  })

  it('returns at most five, or as many as requested', () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      entry(`same-${String(at).padStart(2, '0')}`, { description: 'Equal.' }),
    )
    expect(names('equal', undefined, many)).toHaveLength(SEARCH_RESULTS_MAX)
    expect(names('equal', 9, many)).toHaveLength(9)
  })

  it('orders equal matches by name, each time', () => {
    const many = Array.from({ length: 8 }, (_, at) => entry(`same-${at}`, { description: 'Equal.' }))
    const first = names('equal', undefined, many)
    expect(first).toEqual(['same-0', 'same-1', 'same-2', 'same-3', 'same-4'])
    expect(names('equal', undefined, [...many])).toEqual(first)
  })

  it('matches other forms of a word', () => {
    expect(names('summarizing meetings')[0]).toBe('meeting-notes')
    expect(names('extraction of an invoice')[0]).toBe('invoice-reader')
  })

  it('matches a name that is written as one word or as two', () => {
    expect(names('powerbi')[0]).toBe('power-bi-reports')
    expect(names('a power bi thing')[0]).toBe('power-bi-reports')
  })

  it('keeps short words together that a special character joins', () => {
    const skills = [
      entry('a-notes', { description: 'B plans, C plans, D plans and R plans.' }),
      entry('experiments', { description: 'Plan an A/B test.' }),
      entry('grants', { description: 'Budgets for R&D.' }),
      entry('pipelines', { description: 'Mend CI/CD.' }),
    ]
    expect(names('a/b test', 5, skills)[0]).toBe('experiments')
    expect(names('R&D', 5, skills)).toEqual(['grants'])
    expect(names('ci/cd', 5, skills)).toEqual(['pipelines'])
  })

  it('distinguishes a good match from a poor one', () => {
    const [best] = rankSkills(LIBRARY, 'extract invoice totals')
    expect(best).toMatchObject({ entry: { name: 'invoice-reader' }, fits: true })
    const poor = rankSkills(LIBRARY, 'translate numbers of quarterly warehouse stock levels to French')
    expect(poor.length).toBeGreaterThan(0)
    expect(poor.filter(({ fits }) => fits)).toEqual([])
  })

  it('finds a word that only the body has', () => {
    expect(names('acrobat checkboxes')[0]).toBe('pdf-forms')
  })

  it('finds nothing for words that no skill has, or for stop words', () => {
    expect(names('zyzzyva')).toEqual([])
    expect(names('please do it for me')).toEqual([])
  })
})

describe('another language', () => {
  it('is found by its own script if the skill is written in that language', () => {
    const skills = [...LIBRARY, entry('weekly', { description: '每周工作汇报整理' })].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
    expect(names('工作汇报', 5, skills)[0]).toBe('weekly')
  })
})

describe('the reasons', () => {
  it('name the word as the skill has it, and where it is', () => {
    expect(rankSkills(LIBRARY, 'invoices accounting')[0]?.why).toEqual([
      { term: 'invoice', field: 'name' },
      { term: 'accounting', field: 'tags' },
    ])
  })

  it('are given for every match', () => {
    for (const query of ['make a chart', 'select:pdf-forms', '+notes', 'versions of meetings'])
      for (const hit of rankSkills(LIBRARY, query)) expect(hit.why.length).toBeGreaterThan(0)
  })
})

describe('a hostile query', () => {
  it.each([
    ['a pattern that would backtrack', '(a+)+$'.repeat(500)],
    ['brackets that do not close', '[[[((('],
    ['a megabyte of one letter', 'a'.repeat(1_000_000)],
    ['a megabyte of words', 'word '.repeat(200_000)],
    ['a megabyte of ideographs', '漢字'.repeat(250_000)],
    ['lone surrogates', '\uD800 \uDC00 chart'],
    ['names of the object prototype', '__proto__ constructor toString hasOwnProperty'],
    ['a thousand demands', '+a '.repeat(1_000)],
  ])('of %s is answered', HANG_GUARD, (_, query) => {
    expect(rankSkills(LIBRARY, query).length).toBeLessThanOrEqual(LIBRARY.length)
  })

  it('that is a pattern is text: it matches nothing by itself', () => {
    expect(names('.*')).toEqual([])
    expect(names('+.*')).toEqual([])
  })
})
