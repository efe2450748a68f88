// Promise 7: loading keeps what can be kept. Frontmatter that YAML refuses is read field by field, and each repair is
// reported.

import { describe, expect, test } from 'vitest'
import { errors, readFileText, readHeader, skillMd, verdicts } from './skill-text.ts'

const NAME = 'name: my-skill'
const DESC = 'description: Does things.'

describe('values that YAML refuses are read as plain text', () => {
  const CASES: [string, string, string][] = [
    [
      'a colon',
      `${NAME}\ndescription: Guides through: 1) asking 2) doing`,
      'Guides through: 1) asking 2) doing',
    ],
    ['a colon on a second line', `${NAME}\ndescription: Guides\n  through: asking`, 'Guides through: asking'],
    ['brackets', `${NAME}\ndescription: [Alpha] [Beta] things`, '[Alpha] [Beta] things'],
    ['a star', `${NAME}\ndescription: *.ts files`, '*.ts files'],
    ['an at sign', `${NAME}\ndescription: @scope packages`, '@scope packages'],
    ['a backtick', `${NAME}\ndescription: \`run\` it`, '`run` it'],
    ['a percent sign', `${NAME}\ndescription: %d values`, '%d values'],
    ['a leading comma', `${NAME}\ndescription: , then more`, ', then more'],
    ['an invalid escape', `${NAME}\ndescription: "matches \\d"`, 'matches \\d'],
    ['text after a quote', `${NAME}\ndescription: "Quick" checks`, '"Quick" checks'],
    ['a quote never closed', `${NAME}\ndescription: "Quick checks`, 'Quick checks'],
    ['Markdown escapes in the name', `${NAME}\ndescription: see \\[this\\]: now`, 'see \\[this\\]: now'],
  ]

  test.each(CASES)('%s', (_what, header, description) => {
    const parsed = readHeader(header, 'lenient')
    expect(parsed.skill?.meta.description).toBe(description)
    expect(parsed.skill?.meta.name).toBe('my-skill')
    const repaired = parsed.findings.find((finding) => finding.rule === 'value-repaired')
    expect(repaired).toMatchObject({ severity: 'warning', line: 3 })
    expect(readHeader(header, 'strict').skill).toBeNull()
  })

  test('an error in another field does not affect name and description', () => {
    const parsed = readHeader(`${NAME}\nargument-hint: [date] [duration]\n${DESC}`, 'lenient')
    expect(parsed.skill?.meta).toMatchObject({ name: 'my-skill', description: 'Does things.' })
    expect(parsed.skill?.meta.argumentHint).toBe('[date] [duration]')
  })

  test('inside a map only the broken value is quoted', () => {
    const header = `${NAME}\nmetadata:\n  use: when: now\n  tags:\n    - a\n    - b\n${DESC}`
    const parsed = readHeader(header, 'lenient')
    expect(parsed.skill?.meta.tags).toEqual(['a', 'b'])
    expect(parsed.skill?.meta.extra).toEqual({ metadata: { use: 'when: now', tags: ['a', 'b'] } })
    expect(verdicts(parsed)).toEqual(['warning yaml-invalid', 'warning value-repaired'])
  })

  test('JSON metadata without its last brace loses only the metadata', () => {
    const parsed = readHeader(`${NAME}\n${DESC}\nmetadata: {"a": {"b": [1]}`, 'lenient')
    expect(parsed.skill?.meta).toMatchObject({ name: 'my-skill', description: 'Does things.' })
  })
})

describe('an irreparable part is omitted, and the rest stays', () => {
  test('tabs as indentation', () => {
    const parsed = readHeader(`${NAME}\ndescription: >\n\tDoes\n\tthings.\nmetadata:\n\ta: b`, 'lenient')
    expect(parsed.skill?.meta.description).toBe('Does things.')
    expect(verdicts(parsed)).toContain('warning field-unreadable')
  })

  test('conflict markers: the first side counts', () => {
    const header = `${NAME}\n<<<<<<< ours\ndescription: Ours.\n=======\ndescription: Theirs.\n>>>>>>> theirs`
    const parsed = readHeader(header, 'lenient')
    expect(parsed.skill?.meta.description).toBe('Ours.')
    expect(verdicts(parsed)).toEqual(
      expect.arrayContaining(['warning line-unreadable', 'warning duplicate-key']),
    )
  })

  test('a name that a formatter turned into a heading comes from the folder', () => {
    const parsed = readHeader(`## name: my-skill\n\n${DESC}`, 'lenient', 'from-folder')
    expect(parsed.skill?.meta.name).toBe('from-folder')
    expect(verdicts(parsed)).toEqual(['warning name-missing'])
  })

  test('without name and without folder there is no skill', () => {
    expect(errors(readHeader(DESC, 'lenient', ''))).toEqual(['name-unusable'])
  })

  test.each(['video/windows', '..', 'a:b', 'a\\b', `${'x'.repeat(300)}`])(
    'the name %s, which is no path segment, is replaced by that of the folder',
    (name) => {
      expect(readHeader(`name: '${name}'\n${DESC}`, 'lenient', 'real-folder').skill?.meta.name).toBe(
        'real-folder',
      )
    },
  )

  test.each(['My Skill', 'my_skill', 'My-Skill', 'my-skill-', 'a'.repeat(65), 'नमस्ते'])(
    'the name %s loads',
    (name) => {
      const parsed = readHeader(`name: ${name}\n${DESC}`, 'lenient', name)
      expect(parsed.skill?.meta.name).toBe(name.normalize('NFKC'))
      expect(parsed.findings.every((finding) => finding.severity === 'warning')).toBe(true)
      expect(parsed.findings.length).toBeGreaterThan(0)
    },
  )

  test('a comment in the middle of a sequence, a lone dash, a list of lists', () => {
    const header = `${NAME}\nrules:\n  - a\n  # why\n  -\n    b\nallOf:\n- [a, b]\n${DESC}\nhomepage:\nmetadata:`
    const parsed = readHeader(header, 'lenient')
    expect(parsed.skill?.meta.extra).toEqual({
      rules: ['a', 'b'],
      allOf: [['a', 'b']],
      homepage: '',
      metadata: '',
    })
    expect(verdicts(parsed)).toEqual(['note unknown-field'])
  })

  test('mixed line breaks and no final newline', () => {
    const parsed = readFileText(`---\r\n${NAME}\n\r\n${DESC}\r---\nBody`, 'lenient')
    expect(parsed.skill?.body).toBe('Body')
    expect(parsed.findings).toEqual([])
  })
})

test('every lenient error means "not loaded", and nothing else does', () => {
  for (const header of [NAME, DESC, `${NAME}\n${DESC}`, '- a', `${NAME}\n${DESC}\nmetadata: [`, 'a: *b']) {
    const parsed = readFileText(skillMd(header), 'lenient')
    expect(parsed.skill === null).toBe(errors(parsed).length > 0)
  }
})
