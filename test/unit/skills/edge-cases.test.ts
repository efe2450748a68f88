// Promise 7: strict on publish, lenient on load. Each edge case of the format has one documented result in each mode.

import { describe, expect, test } from 'vitest'
import { utf8 } from '../../../src/lib/bytes.ts'
import { bodyAt, bodyOf } from '../../../src/skills/format/frontmatter.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import { errors, readFileText, readHeader, skillMd, verdicts } from './skill-text.ts'

const HEAD = 'name: my-skill\ndescription: Does things.'
const FILE = skillMd(HEAD, '# Title\n\nText.')

describe('framing and encoding', () => {
  // [case, file, strict errors, lenient findings; 'no' if it cannot load]
  const CASES: [string, string, string[], string[] | 'no'][] = [
    ['CRLF', FILE.replaceAll('\n', '\r\n'), [], []],
    ['lone CR', FILE.replaceAll('\n', '\r'), [], []],
    ['a byte order mark', `\uFEFF${FILE}`, ['byte-order-mark'], ['warning byte-order-mark']],
    ['a blank line first', `\n\n${FILE}`, ['blank-before-frontmatter'], ['warning blank-before-frontmatter']],
    ['spaces after both fences', FILE.replaceAll('---\n', '--- \t\n'), [], []],
    ['four hyphens', FILE.replace('---\n', '----\n'), ['frontmatter-missing'], 'no'],
    [
      'an indented closing fence',
      `---\n${HEAD}\n  ---\nBody\n\n---\n\nMore\n`,
      [],
      ['warning closing-fence-indented'],
    ],
    ['... as closing fence', `---\n${HEAD}\n...\nBody\n`, ['frontmatter-unclosed'], 'no'],
    [
      'a comment before the fence',
      `<!-- x -->\n\n${FILE}`,
      ['frontmatter-missing'],
      ['warning text-before-frontmatter'],
    ],
    ['a code block before the fence', `\`\`\`yaml\n${FILE}`, ['frontmatter-missing'], 'no'],
    ['the fence far down', `${'> quoted\n'.repeat(30)}${FILE}`, ['frontmatter-missing'], 'no'],
    [
      'no closing fence, then a blank line',
      `---\n${HEAD}\n\n# Title\n\nText.`,
      ['frontmatter-unclosed'],
      ['warning frontmatter-unclosed'],
    ],
    [
      'no closing fence, no body',
      `---\n${HEAD}`,
      ['frontmatter-unclosed'],
      ['warning frontmatter-unclosed', 'warning body-empty'],
    ],
    ['no closing fence, no description', '---\nname: my-skill\n\nText.', ['frontmatter-unclosed'], 'no'],
    [
      'fields without fences',
      `${HEAD}\n\n# Title`,
      ['frontmatter-missing'],
      ['warning frontmatter-unfenced'],
    ],
    ['NUL before the fence', `\0${FILE}`, ['frontmatter-missing'], 'no'],
    ['an empty file', '', ['frontmatter-missing'], 'no'],
    ['only one fence', '---', ['frontmatter-unclosed'], 'no'],
    ['an empty frontmatter', '---\n---\nBody\n', ['frontmatter-not-mapping'], 'no'],
    ['a scalar as frontmatter', '---\njust words\n---\nBody\n', ['frontmatter-not-mapping'], 'no'],
    ['no body', `---\n${HEAD}\n---`, [], ['warning body-empty']],
  ]

  test.each(CASES)('%s', (_what, text, strict, lenient) => {
    expect(errors(readFileText(text, 'strict'))).toEqual(strict)
    const loaded = readFileText(text, 'lenient')
    if (lenient === 'no') {
      expect(loaded.skill).toBeNull()
      expect(errors(loaded)).not.toEqual([])
    } else {
      expect(loaded.skill?.meta.description).toBe('Does things.')
      expect(verdicts(loaded)).toEqual(lenient)
    }
  })

  test('a header with wrong fences leaves the same body to later readers of the text', () => {
    const texts = [`<!-- x -->\n${FILE}`, `---\n${HEAD}\n\n# Title\n\nText.`, `${HEAD}\n\n# Title\n\nText.`]
    for (const text of texts) {
      expect(readFileText(text, 'lenient').skill?.body).toBe('# Title\n\nText.')
      expect(bodyOf(text)).toBe('# Title\n\nText.')
      expect(bodyAt(text).bodyLine).toBe(text.slice(0, text.indexOf('# Title')).split('\n').length)
    }
  })

  test('only the first closing fence counts: rules in the body stay', () => {
    const { skill } = readFileText(skillMd(HEAD, 'One\n\n---\n\nTwo\n\n---'), 'strict')
    expect(skill?.body).toBe('One\n\n---\n\nTwo\n\n---')
  })

  test('U+2028 and U+0085 end no line', () => {
    expect(errors(readFileText(FILE.replace('---\n', '---\u2028'), 'lenient'))).toEqual([
      'frontmatter-missing',
    ])
    expect(errors(readFileText(FILE.replace('---\n', '---\u0085'), 'lenient'))).toEqual([
      'frontmatter-missing',
    ])
  })

  test('bytes that are not UTF-8 are refused in both modes', () => {
    for (const bytes of [
      [0xff, 0xfe, 0x2d, 0],
      [0x2d, 0xc0, 0xaf],
      [...utf8(FILE), 0xed, 0xa0, 0x80],
    ])
      for (const mode of ['strict', 'lenient'] as const)
        expect(errors(parseSkill(Uint8Array.from(bytes), 'my-skill', mode))).toEqual(['not-utf8'])
  })

  test('a file of a megabyte is read, one byte more is refused', () => {
    const room = 1_048_576 - utf8(skillMd(HEAD, '')).length
    expect(errors(readFileText(skillMd(HEAD, 'x'.repeat(room)), 'strict'))).toEqual([])
    expect(errors(readFileText(skillMd(HEAD, 'x'.repeat(room + 1)), 'lenient'))).toEqual([
      'skill-md-too-large',
    ])
  })

  test('the line of a finding is counted in the file', () => {
    const text = `\n\n---\r\nname: my-skill\r\n# a comment\r\ndescription: Does things.\r\ndescription: Twice.\r\n---\r\n`
    const found = readFileText(text, 'lenient').findings.find((finding) => finding.rule === 'duplicate-key')
    expect(found?.line).toBe(7)
  })

  test('the line of the body is counted in the file, whatever its line breaks and its header', () => {
    const lines = ['---', 'name: my-skill', 'description: Go.', '---', '', 'Go.', '']
    for (const end of ['\n', '\r\n']) expect(bodyAt(lines.join(end))).toEqual({ body: 'Go.', bodyLine: 6 })
    expect(bodyAt('---\nname: a\ndescription: b\n---')).toEqual({ body: '', bodyLine: 4 })
  })

  test('bodyOf returns the same body as parsing', () => {
    for (const text of [FILE, FILE.replaceAll('\n', '\r\n'), `\uFEFF\n${FILE}`])
      expect(bodyOf(text)).toBe(readFileText(text, 'lenient').skill?.body)
  })
})

describe('values', () => {
  // [case, header, strict errors, lenient description; null if it cannot load]
  const CASES: [string, string, string[], string | null][] = [
    ['--- inside a plain value', 'name: my-skill\ndescription: a --- b', [], 'a --- b'],
    ['--- inside a quoted value', 'name: my-skill\ndescription: "a --- b"', [], 'a --- b'],
    ['an unquoted colon', 'name: my-skill\ndescription: Use when: x', ['yaml-invalid'], 'Use when: x'],
    ['URLs and C#', 'name: my-skill\ndescription: http://x.y:80/z in C#', [], 'http://x.y:80/z in C#'],
    ['a folded scalar', 'name: my-skill\ndescription: >\n  One\n  two.\n\n  Three.', [], 'One two. Three.'],
    ['a literal scalar', 'name: my-skill\ndescription: |-\n  One\n  two.', [], 'One two.'],
    ['a plain value over lines', 'name: my-skill\ndescription: One\n  two.', [], 'One two.'],
    ['an empty description', 'name: my-skill\ndescription:', ['description-empty'], null],
    ['a blank description', 'name: my-skill\ndescription: "   "', ['description-empty'], null],
    ['a comment line', '# note\nname: my-skill\ndescription: Does.', [], 'Does.'],
    ['an alias', 'name: my-skill\nlicense: &a MIT\ndescription: *a', ['yaml-alias'], '*a'],
    ['a tag', 'name: my-skill\ndescription: !!str Does.', ['yaml-tag'], 'Does.'],
    ['an unknown tag', 'name: my-skill\ndescription: !!js/function Does.', ['yaml-tag'], 'Does.'],
    ['a YAML directive', '%YAML 1.1\nname: my-skill\ndescription: Does.', ['yaml-directive'], 'Does.'],
    ['two documents', 'name: my-skill\ndescription: Does.\n--- x', ['yaml-directive'], 'Does.'],
    ['a flow map', 'name: my-skill\ndescription: Does.\nmetadata: {a: b}', [], 'Does.'],
    ['a duplicate', 'name: my-skill\ndescription: Does.\ndescription: No.', ['duplicate-key'], 'Does.'],
    ['a merge key', 'name: my-skill\ndescription: Does.\n<<: x', ['unknown-field'], 'Does.'],
    ['a capital field', 'Name: my-skill\ndescription: Does.', ['unknown-field', 'name-missing'], 'Does.'],
    ['a list', 'name: my-skill\ndescription:\n  - One.\n  - Two.', ['not-a-string'], 'One., Two.'],
    ['angle brackets', 'name: my-skill\ndescription: Makes </skills> safe.', [], 'Makes </skills> safe.'],
    ['a control character', 'name: my-skill\ndescription: "Do\\u0085es\\a."', ['control-character'], 'Does.'],
    [
      'half a surrogate pair',
      'name: my-skill\ndescription: "Does\\uD800."',
      ['control-character'],
      'Does\uFFFD.',
    ],
    ['1,024 emoji', `name: my-skill\ndescription: ${'😀'.repeat(1024)}`, [], '😀'.repeat(1024)],
    [
      'folded 1,024 and a newline',
      `name: my-skill\ndescription: >\n  ${'x'.repeat(1024)}`,
      ['description-too-long'],
      'x'.repeat(1024),
    ],
    ['folded 1,024', `name: my-skill\ndescription: >-\n  ${'x'.repeat(1024)}`, [], 'x'.repeat(1024)],
    [
      'dashes with an indent in a text over lines',
      'name: my-skill\ndescription: |\n  One\n  ---\n  two.',
      [],
      'One --- two.',
    ],
  ]

  test.each(CASES)('%s', (_what, header, strict, description) => {
    expect(errors(readHeader(header, 'strict'))).toEqual(strict)
    const loaded = readHeader(header, 'lenient')
    expect(loaded.skill?.meta.description ?? null).toBe(description)
    expect(loaded.skill === null).toBe(errors(loaded).length > 0)
  })

  test.each(['1,025 characters', '1,025 emoji'])('%s: refused for publishing, whole when loaded', (what) => {
    const text = (what.endsWith('emoji') ? '😀' : 'x').repeat(1025)
    expect(errors(readHeader(`name: my-skill\ndescription: ${text}`, 'strict'))).toEqual([
      'description-too-long',
    ])
    const loaded = readHeader(`name: my-skill\ndescription: ${text}`, 'lenient')
    expect(loaded.skill?.meta.description).toBe(text)
    expect(verdicts(loaded)).toEqual(['warning description-too-long'])
  })

  test('a plain value that YAML cuts at " #" is reported', () => {
    const { skill, findings } = readHeader('name: my-skill\ndescription: Works with # signs.', 'lenient')
    expect(skill?.meta.description).toBe('Works with')
    expect(findings.map(({ rule, line }) => [rule, line])).toEqual([['value-cut-at-comment', 3]])
  })

  test('bidirectional and zero-width characters are removed from the description and reported', () => {
    const { skill, findings } = readHeader('name: my-skill\ndescription: "Do\u202Ees\u200B it."', 'lenient')
    expect(skill?.meta.description).toBe('Does it.')
    expect(findings.map(({ rule }) => rule)).toEqual(['invisible-character'])
  })

  test.each(['123', 'true', 'null', 'yes', '1e3', '0x1F', '2024-01-01'])('the name %s stays text', (name) => {
    expect(readHeader(`name: ${name}\ndescription: Does.`, 'lenient', name).skill?.meta.name).toBe(
      name.normalize(),
    )
  })

  test('__proto__ and constructor are fields like any other', () => {
    const { skill } = readHeader(`${HEAD}\n__proto__: a\nconstructor:\n  __proto__: b`, 'lenient')
    expect(Object.getPrototypeOf(skill?.meta.extra)).toBe(Object.prototype)
    expect(Object.entries(skill?.meta.extra ?? {}).map(([key]) => key)).toEqual(['__proto__', 'constructor'])
  })
})
