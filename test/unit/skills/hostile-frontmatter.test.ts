// Guards that no frontmatter can make reading throw, hang or crash the process: anybody can publish or load arbitrary
// bytes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utf8 } from '../../../src/lib/bytes.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import { prescan } from '../../../src/skills/format/prescan.ts'
import { HANG_GUARD } from '../hang-guard.ts'
import { HOSTILE, nested, TAIL } from './hostile-headers.ts'
import { readHeader, skillMd, verdicts } from './skill-text.ts'

describe('each is answered, one after another in one process', () => {
  test.each(Object.keys(HOSTILE))('%s', HANG_GUARD, (what) => {
    const bytes = utf8(skillMd((HOSTILE[what] ?? '') + TAIL))
    for (const mode of ['strict', 'lenient'] as const) {
      const { skill, findings } = parseSkill(bytes, 'my-skill', mode)
      expect(findings.length).toBeLessThan(100)
      expect(skill === null).toBe(findings.some((finding) => finding.severity === 'error'))
    }
  })
})

test('a header that is too large or too deep for YAML still has name and description', () => {
  for (const what of ['blocks 170 deep', 'brackets 10,000 deep', '50,000 keys', 'dashes 8,000 deep']) {
    // The two fields come first, because only the beginning of a huge header is searched.
    const parsed = readHeader(`${TAIL.trim()}\nother:\n${HOSTILE[what] ?? ''}`, 'lenient')
    expect(parsed.skill?.meta).toMatchObject({ name: 'my-skill', description: 'Does things.' })
    expect(verdicts(parsed)[0]).toMatch(/^warning frontmatter-too-(?:large|deep)$/)
  }
})

test('the size limits are exactly the documented ones', () => {
  const comment = (bytes: number): string => `# ${'x'.repeat(bytes - 2)}`
  expect(prescan(comment(16_384))).toBeNull()
  expect(prescan(comment(16_385))?.rule).toBe('frontmatter-too-large')
  expect(prescan(`# ${'é'.repeat(8_192)}`)?.rule).toBe('frontmatter-too-large')
  expect(prescan(nested(16))).toBeNull()
  expect(prescan(nested(17))).toMatchObject({ rule: 'frontmatter-too-deep', line: 17 })
})

test('no input makes it throw, and its output is well-formed text', () => {
  const piece = fc.constantFrom(
    '---\n',
    'name: ',
    'description: ',
    '\n',
    ': ',
    '"',
    "'",
    '[',
    '{',
    '- ',
    '&a',
    '*a',
    '!',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 40 })
  fc.assert(
    fc.property(text, fc.string({ unit: 'binary', maxLength: 8 }), fc.boolean(), (pieces, folder, framed) => {
      const raw = pieces.join('')
      for (const mode of ['strict', 'lenient'] as const) {
        const { skill, findings } = parseSkill(utf8(framed ? skillMd(raw) : raw), folder, mode)
        expect(skill === null).toBe(findings.some((finding) => finding.severity === 'error'))
        expect(JSON.stringify([skill, findings]).isWellFormed()).toBe(true)
        expect(skill?.meta.description ?? 'x').not.toMatch(/[\n\p{Cc}\u202E\u200B]/u)
      }
    }),
    { numRuns: 500 },
  )
})

test('a valid skill that is written and read again is the same', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  const name = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,10}){0,4}$/)
  fc.assert(
    fc.property(name, word, word, (id, description, body) => {
      const shown = description.replace(/\s+/g, ' ').trim()
      fc.pre(shown !== '' && !/[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u061C]/u.test(shown))
      const written = skillMd(`name: ${id}\ndescription: ${JSON.stringify(description)}`, body)
      const { skill } = parseSkill(utf8(written), id, 'strict')
      expect(skill?.meta).toMatchObject({ name: id, description: shown })
      expect(skill?.body).toBe(body.replace(/\r\n?/g, '\n').trim())
    }),
    { numRuns: 300 },
  )
})
