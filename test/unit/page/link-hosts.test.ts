// Guards "a link shows its target": if its text reads as another host, in any form of characters, the page shows the real host
// after it.

import { describe, expect, it } from 'vitest'
import { realHostNote } from '../../../src/page/markdown/links.ts'

const EVIL = 'https://evil.example/?d=1'

describe('the host', () => {
  it.each([
    'https://bank.com',
    'http://bank.com',
    'https://www.bank.com/login',
    'ftp://bank.com',
    'https://bank.com@evil.example/',
    'bank.com',
    'see bank.com now',
    '@bank.com',
    'ann@bank.com',
    '_bank.com',
    '~bank.com',
    'bank.c\u00ADom',
    'bank.c\u200Bom/login',
    'https:/\u200B/bank.com/login',
    'bank\u2024com',
    'bank\uFF0Ecom/login',
    'bank\u3002com',
    'bank\uA4F8com',
    'bank\u00B7com',
    'b\u0430nk.com/login',
    '\u0431\u0430\u043D\u043A.\u0440\u0444',
    'https\uFF1A//bank.com',
    '\uFF42\uFF41\uFF4E\uFF4B.\uFF43\uFF4F\uFF4D',
    '192.168.0.1/admin',
    'localhost:3000/x',
    'bank.com:8443',
  ])('shows the host after %j', (text) => {
    expect(realHostNote(text, EVIL)).toBe(' (evil.example)')
  })

  it.each([
    ['the report', EVIL],
    ['evil.example', EVIL],
    ['https://evil.example/?d=1', EVIL],
    ['https://evil.example/a/other.example/b.', EVIL],
    ['README.md, Node.js 1.2.3, e.g. a link, 3.5', EVIL],
    ['b\u00FCcher.de', 'https://xn--bcher-kva.de/'],
    ['ann@bank.com', 'mailto:ann@bank.com'],
  ])('shows no host after %j', (text, href) => {
    expect(realHostNote(text, href)).toBe('')
  })
})
