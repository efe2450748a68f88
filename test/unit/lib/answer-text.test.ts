// Guards "a pressed answer says what it seems to say": two options that look the same are the same text, addresses are
// ASCII, and text in any language stays unchanged.

import data from 'unhomoglyph/data.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { answerText } from '../../../src/lib/answer-text.ts'
import { markLookAlikes } from '../../../src/lib/look-alikes.ts'

const PROTOTYPES: Readonly<Record<string, string>> = data
const ASCII = /^[\0-\x7F]*$/

describe('an answer option', () => {
  it.each([
    ['c\u2170v\u2170\u217C-m\u2170x', 'civil-mix'],
    ['\u212Ae\uFF59 \uFB01le \u2163', 'Key file IV'],
    ['Café\u2011Bar\u2010Abend', 'Café-Bar-Abend'],
    ['i\u0307 j\u0307 t\u0335 a/\u0338b _\u0332 -\u0335', 'i j t a/b _ -'],
    ['a\uFF0Eb\uFF0Fc\uFF20d', 'a.b/c@d'],
  ])('has plain characters for their styled forms: %j', (text, plain) => {
    expect(answerText(text)).toBe(plain)
  })

  it.each([
    ['(https://de.wikipedia.org/wiki/Köln_(Stadt)).', '(https://de.wikipedia.org/wiki/K%C3%B6ln_(Stadt)).'],
    ['https://github.com\u30CEdocs.evil.test/x', 'https://github.xn--comdocs-v04f.evil.test/x'],
    ['See a.test/ö?x=ı, HTTPS://A.test', 'See a.test/%C3%B6?x=%C4%B1, HTTPS://A.test'],
  ])('has addresses as they are sent: %s', (text, sent) => {
    expect(answerText(text)).toBe(sent)
  })

  it('has no non-ASCII character in an address that looks like an ASCII one', () => {
    for (const char of Object.keys(PROTOTYPES)) {
      const text = answerText(`https://a.test/x${char}y`).split(' ')[0]
      expect(text, char.codePointAt(0)?.toString(16)).toMatch(ASCII)
    }
  })

  it('has no unmarked letter that Unicode maps to an ASCII letter, except visibly different ones', () => {
    const passed = Object.entries(PROTOTYPES).filter(([char, looks]) => {
      if (!/^[a-z]$/i.test(looks) || ASCII.test(char) || !/\p{L}/u.test(char)) return false
      const text = answerText(`ab${char}cd`)
      return !ASCII.test(text) && markLookAlikes(text) === text
    })
    expect(passed.map(([char]) => char).join('')).toMatch(/^[ıƙɣʋ\u{16C5D}\u16D5\u166D\u166E\u2C9C]*$/u)
  })

  it.each([
    'Straße, Größe/Gewicht, Nguyễn, kadın, Łódź, ƙasa, Œuvre, m\u0300, g\u0303',
    'Привет мир',
    'Ελλάδα',
    'مرحبا بالعالم',
    'हिन्दी में लिखें',
    'はい！Aプラン（東京Tower）',
    '한국어 API 가나다',
    'ไทย',
    '1️⃣ ❤️ 👨‍👩‍👧 yes',
    '10 m², ½, 1º, Mᵐᵉ, 2010–2020, it’s, col·legi, 5 €',
    'x == y, https://a.test/%C3%B6?b=1#c',
  ])('is unchanged, and not marked: %s', (text) => {
    expect(answerText(text)).toBe(text)
    expect(markLookAlikes(text)).toBe(text)
  })
})
