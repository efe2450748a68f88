// Guards "the choice of links is counted once the model may know private data": which messages of a person may contain
// some.

import { expect, it } from 'vitest'
import { mayContainPrivateData } from '../../../src/thread/approvals/private-text.ts'

const KEY = 'kD83hf72Hqpz1xQ92LmZ77aB'

it.each([
  [
    'a question',
    'Summarize https://a.example/wiki/Foo_(bar), https://a.example/?v=dQw4w9WgXcQ. And www.b.example/x.',
    false,
  ],
  ['a question without spaces', '请总结https://a.example/watch?v=dQw4w9WgXcQ，并比较两者。', false],
  ['a long list of URLs', `Read ${'https://a.example/4f9a1c '.repeat(70)}`, false],
  ['pasted text', 'pasted '.repeat(300), true],
  ['pasted text behind a URL', `请总结https://a.example/，${'客户名单不可外传。'.repeat(230)}`, true],
  ['text that is a URL', `https://a.example/${'pasted-'.repeat(300)}`, true],
  ['a key', `Log in with ${KEY}.`, true],
  ['a key behind a URL without spaces', `请总结https://a.example/，密钥是${KEY}`, true],
  ['a key behind Thai words', `https://a.example/คีย์คือ${KEY}`, true],
  ['a key behind a comma', `https://a.example/,key=${KEY}`, true],
  [
    'dates and prices',
    'What did 4000 tickets from 2021 2022 2023 cost, 12,000.50 or 14000? See ГОСТ 2024, 二〇二四年1月.',
    false,
  ],
  ['a card number', 'Is 4111 1111 1111 1111 valid?', true],
  ['a long number', '4111111111111111', true],
  ['a fingerprint', '6f:1a:2b:3c:4d:5e:6f:70', true],
  ['a key of non-Latin letters', 'Пароль: ДзЕ93кЛп2', true],
  ['a key in brackets', `https://a.example/(${KEY})[${KEY}]`, true],
  ['a key of a known format in a URL', `https://a.example/?k=sk-ant-${KEY}`, true],
  ['a password in a URL', `https://ada:hunter22@a.example/`, true],
])('%s: %#', (_, text, more) => {
  expect(mayContainPrivateData(text)).toBe(more)
})
