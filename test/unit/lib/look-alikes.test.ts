// Guards "whom a call names is whom it seems to name": look-alike letters are marked where a person decides, and text
// in any language stays unchanged.

import { describe, expect, it } from 'vitest'
import { markLookAlikes } from '../../../src/lib/look-alikes.ts'

describe('look-alikes', () => {
  it.each([
    ['p\u0430ypal', 'p\u0430⟨U+0430⟩ypal'],
    ['M\u043Eskau', 'M\u043E⟨U+043E⟩skau'],
    ['p\u0251ypal', 'p\u0251⟨U+0251⟩ypal'],
    ['\uFF45vil.com', '\uFF45⟨U+FF45⟩vil.com'],
    ['TNF\u03B1', 'TNF\u03B1⟨U+03B1⟩'],
    ['5\u06600', '5\u0660⟨U+0660⟩0'],
    ['\u0440\u0430\u0443\u0440\u0430@a.test', '\u0440\u0430\u0443\u0440\u0430⟨Cyrillic⟩@a.test'],
    ['a\u2044b\u3002com', 'a\u2044⟨U+2044⟩b\u3002⟨U+3002⟩com'],
    // Nearby text of the same script excuses neither a name among Latin words nor a part of an address.
    [
      '{"note":"привет","to":"\u0441\u043E\u0441\u043E"}',
      '{"note":"привет","to":"\u0441\u043E\u0441\u043E⟨Cyrillic⟩"}',
    ],
    ['привет \u0441\u043E\u0441\u043E.com', 'привет \u0441\u043E\u0441\u043E⟨Cyrillic⟩.com'],
    ['bi\u217Cling', 'bi\u217C⟨U+217C⟩ling'],
    ['paypa\u01C0 \u212Aey', 'paypa\u01C0⟨U+01C0⟩ \u212A⟨U+212A⟩ey'],
    ['acme\u2010corp.com', 'acme\u2010⟨U+2010⟩corp.com'],
    ['a\u2013b@corp.com', 'a\u2013⟨U+2013⟩b@corp.com'],
    ['github.com\u30CEdocs', 'github.com\u30CE⟨U+30CE⟩docs'],
    ['a\uA4F8com b\u2571c pa\u2223', 'a\uA4F8⟨U+A4F8⟩com b\u2571⟨U+2571⟩c pa\u2223⟨U+2223⟩'],
    ['Прив\u0065т', 'Прив\u0065⟨U+0065⟩т'],
  ])('are marked: %s', (text, reported) => {
    expect(markLookAlikes(text)).toBe(reported)
  })

  it.each([
    'plain text, 10 km/h',
    'Grüße aus Łódź, kadın, ơn, ß, øre, Nguyễn',
    'привет, а как ты там',
    'Ελλάδα και το νησί',
    '你好world 東京Tower ありがとう。また',
    '10 kΩ, 5 µm, 5 Å, 3−2, 2010–2020, it’s',
    '١٢٣ ريال',
    'हिन्दी में लिखें',
    '한국어 API',
    '',
  ])('are not found in %j', (text) => {
    expect(markLookAlikes(text)).toBe(text)
  })
})

it('marks symbols that look like letters, between letters', () => {
  for (const char of [
    '\u166D',
    '\u212E',
    '\u2228',
    '\u222A',
    '\u22A4',
    '\u237A',
    '\u2016',
    '\u05C0',
    '\u2A2F',
    '\u{1CCD6}',
  ])
    expect(markLookAlikes(`to: pay${char}al@bank.test`), char).toContain('⟨U+')
  for (const text of ['1920\u00D71080', 'a 5\u20AC b', 'one \u2228 two', 'I\u2764\uFE0Fyou'])
    expect(markLookAlikes(text)).toBe(text)
})
