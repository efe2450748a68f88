// Guards what one query may cost: a text is measured as it is searched, after normalising, and only so many words of it
// are looked at.

import { describe, expect, it } from 'vitest'
import {
  MATCH_TEXT_MAX_CHARS,
  SEARCH_FOLD_GROWTH,
  SEARCH_FOLD_SLACK_CHARS,
  SEARCH_QUERY_WORDS,
  SEARCH_TERMS_MAX,
} from '../../../src/limits.ts'
import { buildEngine, type Engine } from '../../../src/skills/search/engine.ts'
import { wantsOf } from '../../../src/skills/search/expand.ts'
import { readQuery } from '../../../src/skills/search/query.ts'
import { fold } from '../../../src/skills/search/tokens.ts'

/** An engine of nothing that counts how often it is asked. */
function countingEngine(): { readonly engine: Engine; readonly asked: () => number } {
  let asked = 0
  const empty = buildEngine([])
  const has = (): boolean => {
    asked++
    return false
  }
  return { engine: { ...empty, has }, asked: () => asked }
}

function questions(text: string): number {
  const { engine, asked } = countingEngine()
  wantsOf(text, engine)
  return asked()
}

describe('a text that grows when it is normalised', () => {
  it('is measured as it is then', () => {
    const folded = fold('ﷺ'.repeat(MATCH_TEXT_MAX_CHARS))
    expect(folded.length).toBeLessThanOrEqual(
      SEARCH_FOLD_GROWTH * MATCH_TEXT_MAX_CHARS + SEARCH_FOLD_SLACK_CHARS,
    )
  })

  it('is whole where it is honest', () => {
    expect(fold('Präsentation…')).toBe('prasentation...')
    expect(fold('ﷺ')).toBe('صلى الله عليه وسلم')
    expect(fold('ｐｄｆ ﬁle ½ 한국어')).toBe('pdf file 1⁄2 한국어')
  })
})

describe('one query', () => {
  // Each word asks the engine for itself and for itself joined with the next one.
  const MOST = 2 * SEARCH_QUERY_WORDS

  it.each([
    ['letters that become eighteen', 'ﷺ'.repeat(MATCH_TEXT_MAX_CHARS)],
    ['the same with blanks', 'ﷺ '.repeat(MATCH_TEXT_MAX_CHARS / 2)],
    ['unknown words', Array.from({ length: 4_000 }, (_, at) => at.toString(36)).join(' ')],
    ['ideographs without a blank', '漢字'.repeat(MATCH_TEXT_MAX_CHARS / 2)],
    ['ideographs with blanks', '漢字 '.repeat(MATCH_TEXT_MAX_CHARS / 3)],
  ])('of %s has a bound on what is looked up', (_, text) => {
    expect(questions(text)).toBeLessThanOrEqual(MOST)
  })

  it('demands a bounded number of parts of a name, each once', () => {
    const parts = Array.from({ length: 2_000 }, (_, at) => `+p${at % 1_000}`)
    const asked = readQuery(parts.join(' '))
    expect(asked).toMatchObject({ form: 'rank', text: '' })
    expect(asked?.form === 'rank' && asked.musts).toHaveLength(SEARCH_TERMS_MAX)
  })
})
