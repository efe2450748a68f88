// Guards the cost of one query: its text is measured after normalization, as it is searched, and only a limited number
// of its words is used.

import { describe, expect, it } from 'vitest'
import { MATCH_QUERY_MAX_CHARS } from '../../../../src/limits/skills.ts'
import {
  SEARCH_FOLD_GROWTH,
  SEARCH_FOLD_SLACK_CHARS,
  SEARCH_TERMS_MAX,
} from '../../../../src/skills/search/limits.ts'
import { readQuery } from '../../../../src/skills/search/query.ts'
import { queryTerms } from '../../../../src/skills/search/rank.ts'
import { fold } from '../../../../src/skills/search/tokens.ts'

describe('a text that grows when it is normalized', () => {
  it('is limited after normalization', () => {
    const folded = fold('ﷺ'.repeat(MATCH_QUERY_MAX_CHARS))
    expect(folded.length).toBeLessThanOrEqual(
      SEARCH_FOLD_GROWTH * MATCH_QUERY_MAX_CHARS + SEARCH_FOLD_SLACK_CHARS,
    )
  })

  it('is kept whole if it is ordinary', () => {
    expect(fold('Präsentation…')).toBe('prasentation...')
    expect(fold('ﷺ')).toBe('صلى الله عليه وسلم')
    expect(fold('ｐｄｆ ﬁle ½ 한국어')).toBe('pdf file 1⁄2 한국어')
  })
})

describe('one query', () => {
  it.each([
    ['letters that become eighteen', 'ﷺ'.repeat(MATCH_QUERY_MAX_CHARS)],
    ['the same with spaces', 'ﷺ '.repeat(MATCH_QUERY_MAX_CHARS / 2)],
    ['unknown words', Array.from({ length: 4_000 }, (_, at) => at.toString(36)).join(' ')],
    ['ideographs without spaces', '漢字'.repeat(MATCH_QUERY_MAX_CHARS / 2)],
    ['ideographs with spaces', '漢字 '.repeat(MATCH_QUERY_MAX_CHARS / 3)],
  ])('of %s has a limited number of look-ups', (_, text) => {
    expect(queryTerms(text).length).toBeLessThanOrEqual(SEARCH_TERMS_MAX)
  })

  it('demands a limited number of parts of a name, each once', () => {
    const parts = Array.from({ length: 2_000 }, (_, at) => `+p${at % 1_000}`)
    const requested = readQuery(parts.join(' '))
    expect(requested).toMatchObject({ form: 'rank', text: '' })
    expect(requested?.form === 'rank' && requested.requiredParts).toHaveLength(SEARCH_TERMS_MAX)
  })
})
