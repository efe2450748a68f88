// Guards "text that is returned as a person's words is what they saw": no invisible character passes, and no visible
// one is lost.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceInvisible, visibleLine, visibleText, withoutInvisible } from '../../../src/lib/visible.ts'

describe('visible text', () => {
  it.each([
    ['variation selectors', 'Y\uFE00e\uFE0Fs\u{E0100}\u{E01EF}', 'Yes'],
    ['tags outside flags', 'a\u{E0041}\u{E007F}', 'a'],
    ['fillers and joiners without letters', '\u3164\uFFA0\u115F\u034Fa\u200D\u200Cb\u2060\u2063\uFEFF', 'ab'],
    ['bidi controls', 'a\u202E\u2066b\u061C', 'ab'],
    ['characters that render as nothing', '\u{1D159}\uFFFC\u{16FE4}a', 'a'],
    ['private use, lone surrogates and noncharacters', '\uE000\uD800\uFFFF\u0378a', 'a'],
    ['more selectors than an emoji has', '❤️\uFE0F\uFE0E 😀\uFE0F', '❤️ 😀'],
    ['a joiner after a letter that does not join', '\u0627\u200C\u0628', '\u0627\u0628'],
    ['spaces of all kinds, repeated and at the ends', ' a\u00A0\u2003 b\u3000\tc\u2800 ', 'a b c'],
    ['one of two normal forms', 'e\u0301', '\u00E9'],
  ])('is without %s', (_, text, seen) => {
    expect(visibleText(text)).toBe(seen)
  })

  it.each(['❤️', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '👍🏽', '🇩🇪', 'می\u200Cشود', 'क्\u200Dष', 'Grüße 你好'])(
    'keeps %s',
    (text) => {
      expect(visibleText(text)).toBe(text)
      expect(withoutInvisible(text)).toBe(text)
      expect(replaceInvisible(text, () => '!')).toBe(text)
    },
  )

  it('keeps its lines, or becomes one line on request', () => {
    expect(visibleText('a \r\n\n\n\n b\u2028c')).toBe('a\n\nb\nc')
    expect(visibleLine('a \r\n\n\n\n b\u2028c')).toBe('a b c')
  })

  it('is idempotent, and no two results look alike that differ in invisible characters', () => {
    const carrier = fc.string({
      unit: fc.constantFrom('\uFE00', '\uFE0F', '\u200D', '\u{E0061}', '\u3164', '\u2060'),
    })
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        carrier,
        (text, any, hidden) => {
          expect(visibleText(visibleText(any))).toBe(visibleText(any))
          expect(visibleText(`a${hidden}b`)).toBe('ab')
          expect(withoutInvisible(withoutInvisible(text))).toBe(withoutInvisible(text))
        },
      ),
    )
  })
})
