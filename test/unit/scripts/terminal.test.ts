// Promise: text from a server, a model or a file cannot control the terminal that shows it.

import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { harmless, harmlessLine, formatDuration, shellQuote } from '../../../scripts/lib/terminal.ts'

test('escape sequences, controls and bidi controls are removed, text stays', () => {
  const esc = String.fromCharCode(27)
  const hostile = `${esc}[31mred${esc}[0m ${esc}]0;title${String.fromCharCode(7)}bell\r\u{9b}2Jc1 \u202Eevil\u2069`
  expect(harmless(hostile)).not.toMatch(/(?![\t\n])\p{Cc}|[\u202E\u2069]/u)
  expect(harmless(hostile)).toContain('red')
})

test('an escape sequence split by the stream cannot be joined again', () => {
  const [first, second] = [String.fromCharCode(27), '[2J']
  expect(harmless(first) + harmless(second)).toBe('[2J')
})

test('tabs, line breaks, joined emoji and other scripts are kept', () => {
  const text = 'a\tb\n👩‍👩‍👧 नमस्ते'
  expect(harmless(text)).toBe(text)
  expect(harmlessLine(' a\n\tb ')).toBe('a b')
})

test('a quoted word reaches bash unchanged', () => {
  const word = `it's "$HOME" \`id\` \\ !`
  expect(execFileSync('bash', ['-c', `printf %s ${shellQuote(word)}`], { encoding: 'utf8' })).toBe(word)
})

test('durations are formatted for people', () => {
  expect([formatDuration(34.6), formatDuration(1_250), formatDuration(61_000)]).toEqual([
    '35 ms',
    '1.3 s',
    '61.0 s',
  ])
})
