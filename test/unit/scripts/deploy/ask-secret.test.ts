// Promise: a secret that is typed does not show, and a question that is left is no answer.

import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { secretReader } from '../../../../scripts/lib/ask.ts'

test('what is typed reaches the command, not the screen', async () => {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const answer = secretReader(input, output)('KEY: ')
  input.write('sk-ant-secret\n')
  expect(await answer).toBe('sk-ant-secret')
  expect(output.read()).toBe('KEY: \n')
})

test('Enter alone is an empty answer; an input that ends is none', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const empty = secretReader(input, output)('KEY: ')
  input.write('\n')
  expect(await empty).toBe('')
  const left = secretReader(input, output)('KEY: ')
  input.end()
  expect(await left).toBe(null)
})
