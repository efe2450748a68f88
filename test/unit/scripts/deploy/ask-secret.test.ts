// Promise: a secret is not shown while it is typed, and an aborted question returns no answer.

import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { secretReader } from '../../../../scripts/lib/ask.ts'

test('typed text reaches the command, not the screen', async () => {
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

test('the terminal stops echoing before the question appears', async () => {
  const calls: string[] = []
  const input = Object.assign(new PassThrough(), {
    setRawMode: (isRaw: boolean) => {
      calls.push(isRaw ? 'no echo' : 'echo')
      return input
    },
  })
  const output = new PassThrough({ encoding: 'utf8' })
  output.on('data', (text: string) => calls.push(text))
  const answer = secretReader(input, output)('KEY: ')
  input.write('sk-ant-secret\n')
  await answer
  expect(calls).toEqual(['no echo', 'KEY: ', 'echo', '\n'])
})
