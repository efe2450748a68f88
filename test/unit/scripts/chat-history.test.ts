// Promise: the input history survives a restart, newest first, bounded, and readable only by its owner. It never
// contains a key, and a damaged or unwritable history file does not prevent chatting.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { InputHistory } from '../../../scripts/chat/history.ts'
import { CHAT_HISTORY_MAX_MESSAGES, CHAT_HISTORY_MAX_BYTES } from '../../../scripts/chat/limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'satchel-history-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('messages of several lines are restored unchanged, and a repeated one once', () => {
  const file = join(folder, 'below', 'history')
  const history = new InputHistory(file, [])
  for (const message of ['one', 'two\nlines', 'two\nlines', '  ']) history.add(message)
  expect(new InputHistory(file, []).newestFirst()).toEqual(['two\nlines', 'one'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('keys are not stored, however they are written', () => {
  const file = join(folder, 'keys')
  const history = new InputHistory(file, ['the-key-of-this-server', ''])
  for (const message of [
    'it is the-key-of-this-server',
    'sk-ant-api03-abcdefghijkl',
    'sk_default_owner_secretsecret',
    'use satchel_abcdefgh12345',
    'ghp_abcdefgh123456789',
    'Authorization: Bearer abcdefghijk',
    'password = hunter2hunter2',
    '{"api_key": "abcdefgh"}',
    '-----BEGIN PRIVATE KEY-----',
  ])
    history.add(message)
  history.add('which key opens this door?')
  expect(history.newestFirst()).toEqual(['which key opens this door?'])
  expect(readFileSync(file, 'utf8')).toBe('"which key opens this door?"\n')
})

test('a long history loses its oldest entries, in memory and on disk', () => {
  const file = join(folder, 'long')
  const history = new InputHistory(file, [])
  const long = 'x'.repeat(3_000)
  for (let at = 0; at < CHAT_HISTORY_MAX_MESSAGES + 200; at++) history.add(`${at} ${long}`)
  expect(history.newestFirst()).toHaveLength(CHAT_HISTORY_MAX_MESSAGES)
  expect(statSync(file).size).toBeLessThanOrEqual(CHAT_HISTORY_MAX_BYTES)
  expect(new InputHistory(file, []).newestFirst().at(0)).toContain(`${CHAT_HISTORY_MAX_MESSAGES + 199} x`)
})

test('a damaged file is read as far as possible, and an unwritable one is ignored', () => {
  const file = join(folder, 'broken')
  writeFileSync(file, '"good"\n{"no": "text"}\nhalf a li')
  expect(new InputHistory(file, []).newestFirst()).toEqual(['good'])
  const nowhere = new InputHistory(join(file, 'below'), [])
  nowhere.add('said')
  expect(nowhere.newestFirst()).toEqual(['said'])
})
