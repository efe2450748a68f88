// Guards decoding bytes to text: evidence in the bytes counts more than the declared charset.

import { describe, expect, it } from 'vitest'
import { decodeText } from '../../../src/lib/charset.ts'
import { utf8 } from '../../../src/lib/bytes.ts'

const LATIN = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x78, 0x94]) // café “x” in Windows-1252
const UTF16 = Uint8Array.from([0xff, 0xfe, 0x68, 0, 0x69, 0])

describe('a text in a charset', () => {
  it.each([
    ['UTF-8 declared as Latin', utf8('naïve “x”'), ['iso-8859-1'], 'naïve “x”'],
    ['UTF-8 without a declaration', utf8('日本語'), [null], '日本語'],
    ['Windows-1252 without a declaration', LATIN, [null], 'café “x”'],
    ['Windows-1252 declared as UTF-8', LATIN, ['utf-8', null], 'café “x”'],
    ['UTF-16 by its byte order mark, whatever is declared', UTF16, ['utf-8'], 'hi'],
    ['UTF-8 with a byte order mark', utf8('\ufeffhi'), [null], 'hi'],
    ['an unknown charset', LATIN, ['no-such-thing'], 'café “x”'],
    ['the second name if the first is invalid', LATIN, ['utf-8', 'windows-1251'], 'cafй “x”'],
    ['shifted text, which is ASCII', utf8('\u001b$B$"\u001b(B'), ['iso-2022-jp'], 'あ'],
  ])('%s is decoded correctly', (_, bytes, named, text) => {
    expect(decodeText(bytes, named)).toBe(text)
  })

  it('stays UTF-8 despite a character cut at its end or a little damage', () => {
    const bytes = utf8('ä'.repeat(50))
    expect(decodeText(bytes.subarray(0, 99), [null])).toBe(`${'ä'.repeat(49)}\ufffd`)
  })
})
