// Guards "a person sees what they allow": a displayed request marks every invisible character and says where it was
// shortened.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Preview } from '../../../src/agent/approval.ts'
import { markInvisibleInJson, displayRequest } from '../../../src/agent/display-request.ts'
import {
  APPROVAL_BODY_HEAD_CHARS,
  APPROVAL_BODY_TAIL_CHARS,
  APPROVAL_HEADERS_MAX,
  APPROVAL_URL_MAX_CHARS,
} from '../../../src/agent/limits.ts'
import { markInvisible } from '../../../src/lib/mark-invisible.ts'

const REQUEST: Preview = {
  kind: 'tool',
  method: 'POST',
  url: 'https://a.test/x',
  headers: { Authorization: 'Bearer {{secrets.A}}' },
  body: '{"text":"Grüße, 你好"}',
}

describe('marks', () => {
  it.each([
    ['a\u202Eb', 'a⟨U+202E⟩b'],
    ['a\u200B\u200Bb', 'a⟨U+200B⟩⟨U+200B⟩b'],
    ['\u0000', '⟨U+0000⟩'],
    ['a\rb', 'a⟨U+000D⟩b'],
    ['\u{E0041}', '⟨U+E0041⟩'],
    ['\uD800', '⟨U+D800⟩'],
    ['\u3164', '⟨U+3164⟩'],
    ['\u2800', '⟨U+2800⟩'],
    ['\uFE0F', '⟨U+FE0F⟩'],
    ['a\uFE01', 'a⟨U+FE01⟩'],
    ['❤️\uFE0F', '❤️⟨U+FE0F⟩'],
    ['⟨U+202E⟩', '⟨U+27E8⟩U+202E⟨U+27E9⟩'],
    ['p\u0430ypal', 'p\u0430⟨U+0430⟩ypal'],
    ['a\u00A0b', 'a⟨U+00A0⟩b'],
    ['\u2028', '⟨U+2028⟩'],
    ['\u00AD', '⟨U+00AD⟩'],
    [`a${' '.repeat(41)}b${'\t'.repeat(50)}`, 'a⟨41 blanks⟩b⟨50 blanks⟩'],
    [`a\n${' \t\n'.repeat(9)}b`, 'a\n⟨9 empty lines⟩\nb'],
    ['fi\u0307nance@a.test', 'fi\u0307⟨U+0307⟩nance@a.test'],
    ['a/\u0338b t\u0335', 'a/\u0338⟨U+0338⟩b t\u0335⟨U+0335⟩'],
  ])('%j becomes %s', (text, reported) => {
    expect(markInvisible(text)).toBe(reported)
  })

  it('leave visible characters, lines and tabs unchanged', () => {
    for (const text of [
      'plain\n\ttext',
      `a${' '.repeat(40)}b${'\n'.repeat(9)}`,
      'Grüße 你好 مرحبا',
      '😀 ❤️ 👨‍👩‍👧',
      'می\u200Cشود',
      'e\u0301 1️⃣',
      '',
    ])
      expect(markInvisible(text)).toBe(text)
  })

  it('are one count for many in a row, so that they fill no screen', () => {
    const reported = markInvisible('\u200B'.repeat(100_000))
    expect(reported).toMatch(/⟨U\+200B⟩⟨and 99996 more that cannot be seen⟩$/)
    expect(reported.length).toBeLessThan(100)
  })

  it('replace every invisible character in any text, even in field names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const seen = markInvisible(text).replace(/\p{RGI_Emoji}|(?<=\p{M})[\u200C\u200D]/gv, '')
        expect(seen).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
      }),
    )
    expect(markInvisibleInJson({ 'a\u200B': ['\u202E', 1, null, { b: '\u0007' }] })).toEqual({
      'a⟨U+200B⟩': ['⟨U+202E⟩', 1, null, { b: '⟨U+0007⟩' }],
    })
  })
})

describe('a request', () => {
  it('that is short and plain is shown unchanged', () => {
    expect(displayRequest(REQUEST)).toEqual({ ...REQUEST, body: '{\n  "text": "Grüße, 你好"\n}', notes: [] })
    for (const body of ['words', 'a=', '{"a":1,"a":2}', '{"a": 1}', '{"n":1.0}', '{"a":1', 'a=b c&d'])
      expect(displayRequest({ ...REQUEST, body }), body).toEqual({ ...REQUEST, body, notes: [] })
  })

  it('has a line for each field, so that a long one hides no other', () => {
    const long = (what: string): string => what.repeat(4_000)
    const pays = { body: long('b'), recipient: 'mallory@evil.test', subject: long('s'), to: ['a', { b: [] }] }
    const json = displayRequest({ ...REQUEST, body: JSON.stringify(pays) })
    expect(json.body?.split('\n')).toEqual([
      '{',
      expect.stringMatching(/^ {2}"body": "b{399}…" \[… the first 400 of 4000 characters\],$/),
      '  "recipient": "mallory@evil.test",',
      expect.stringMatching(/^ {2}"subject": "s+…" \[… the first 400 of 4000 characters\],$/),
      '  "to": [',
      '    "a",',
      '    {',
      '      "b": []',
      '    }',
      '  ]',
      '}',
    ])
    expect(json.notes).toEqual([
      expect.stringMatching(/^body: only the first 400 characters of longer values/),
    ])
    const { to: _, ...form } = pays
    expect(displayRequest({ ...REQUEST, body: String(new URLSearchParams(form)) }).body?.split('\n')).toEqual(
      [
        expect.stringMatching(/^body=b+…/),
        '&recipient=mallory%40evil.test',
        expect.stringMatching(/^&subject=s+…/),
      ],
    )
  })

  it('has a line for each field of a long query, so that none is hidden', () => {
    const memo = encodeURIComponent(`Rent for June.&to=anna&amount=5 ${'thanks a lot '.repeat(170)}`)
    const long = { ...REQUEST, url: `https://bank.test/v1/pay?memo=${memo}&to=mallory&amount=90000` }
    const { url, notes } = displayRequest(long)
    expect(url.split('\n')).toEqual([
      'https://bank.test/v1/pay',
      expect.stringMatching(/^\?memo=Rent%20for.* \[… \d+ characters …\] .*lot%20$/),
      '&to=mallory',
      '&amount=90000',
    ])
    expect(notes).toEqual([
      expect.stringMatching(/^url: only the beginnings and ends of parts longer than 400/),
    ])
    const path = displayRequest({ ...REQUEST, url: `https://bank.test/pay/${memo}/mallory/90000` })
    expect(path.url).toMatch(/^https:\/\/bank\.test\/pay\/Rent.*\/mallory\/90000$/)
    // More fields than can be shortened: all of them are shown.
    const many = Array.from({ length: 700 }, (_, n) => `f${n}=${n}`).join('&')
    const all = displayRequest({ ...REQUEST, url: `https://bank.test/?${many}` })
    expect(all.url.replaceAll('\n', '')).toBe(`https://bank.test/?${many}`)
    expect(all.notes).toEqual([])
  })

  it('shows the end of a long header on the line of its name', () => {
    const to = `anna@bank.test${', '.repeat(500)}mallory`
    const { headers, notes } = displayRequest({ ...REQUEST, headers: { 'X-To': to } })
    expect(headers['X-To']).toMatch(/^anna@bank\.test[, ]+… \[… cut here …\] [, ]+mallory$/)
    expect(notes).toEqual([expect.stringMatching(/^header X-To: .* of 1021 characters are shown$/)])
  })

  it('keeps numbers beside their words, even in right-to-left text', () => {
    const { body, notes } = displayRequest({ ...REQUEST, body: '{"pays":[5,"דנה",9000,"רון"]}' })
    expect(body).toBe('{\n  "pays": [\n    5,\n    "דנה",\n    9000,\n    "רון"\n  ]\n}')
    expect(notes).toEqual([expect.stringMatching(/^body: .*from right to left/)])
    expect(displayRequest({ ...REQUEST, body: '5 → דנה, 9000 → רון' }).notes).toHaveLength(1)
  })

  it('reports an international host name, and marks look-alike letters in the body', () => {
    const { notes, body } = displayRequest({
      ...REQUEST,
      url: 'https://xn--pypal-4ve.test/',
      body: '{"to":"\u0441\u043E\u0441\u043E@a.test"}',
    })
    expect(notes).toEqual([
      expect.stringContaining('internationalized domain name'),
      expect.stringMatching(/^body: .*look like others/),
    ])
    expect(body).toBe('{\n  "to": "\u0441\u043E\u0441\u043E⟨Cyrillic⟩@a.test"\n}')
  })

  it('says what was cut and where something was marked', () => {
    const body = `${'a'.repeat(APPROVAL_BODY_HEAD_CHARS)}middle${'z'.repeat(APPROVAL_BODY_TAIL_CHARS)}`
    const headers = Object.fromEntries(
      Array.from({ length: APPROVAL_HEADERS_MAX + 1 }, (_, n) => [`X-${n}`, 'v']),
    )
    const url = `https://a.test/${'x'.repeat(APPROVAL_URL_MAX_CHARS)}`
    const shown = displayRequest({ ...REQUEST, url, headers: { ...headers }, body, method: 'PO\u200BST' })
    expect(shown.body).not.toContain('middle')
    expect(shown.body).toMatch(/^a+…?\n\[… cut here …\]\nz+$/)
    expect(shown.url).toMatch(/^https:\/\/a\.test\/x{299}… \[… 2000 characters …\] x{100}$/)
    expect(Object.keys(shown.headers)).toHaveLength(APPROVAL_HEADERS_MAX)
    expect(shown.notes).toHaveLength(4)
    expect(shown.notes.join(' ')).toMatch(/headers.*method.*url.*body/s)
  })
})
