// Promise: on a terminal an answer is shown once. Text that repeats after a restart is not shown again, text that
// differs is shown again with a notice, and the status line never stays behind.

import { expect, test } from 'vitest'

import { Renderer } from '../../../scripts/chat/render.ts'
import { RichScreen } from '../../../scripts/chat/rich-screen.ts'

import type { Event, EventBody } from '../../../src/agent/events.ts'

const RESTART = 'The server restarted, so this step starts again.'

function screen(columns = 60): {
  readonly rich: RichScreen
  readonly shown: () => string
  readonly faults: () => string
} {
  let out = ''
  let faults = ''
  const rich = new RichScreen(
    (text) => (out += text),
    (text) => (faults += text),
    () => columns,
  )
  return {
    rich,
    // Removes last lines that were erased, as a terminal does.
    shown: () => out.replaceAll(/(?<=^|\n)[^\n]*\r\p{Cc}\[2K/gu, ''),
    faults: () => faults,
  }
}

test('the status line is last, is cut to the window, and disappears', () => {
  const { rich, shown } = screen(20)
  rich.status('… reading a file with a long name')
  expect(shown()).toBe('… reading a file w…')
  rich.say('text', 'Hello.\n\n')
  expect(shown()).toBe('Hello.\n… reading a file w…')
  rich.status(null)
  expect(shown()).toBe('Hello.\n')
})

test('text repeated after a restart is not shown again, wherever it was cut', () => {
  const text = 'First.\n\n1. one\n2. two\n3. three\n\n```\ncode\nmore\n```\n\nLast words.'
  for (let at = 1; at < text.length; at++) {
    const { rich, shown } = screen()
    rich.say('text', text.slice(0, at))
    rich.restart(RESTART)
    for (const letter of text) rich.say('text', letter)
    rich.close()
    const lines = shown()
      .split('\n')
      .filter((line) => line !== '' && line !== RESTART)
    expect(lines, `cut at ${at}`).toEqual([
      'First.',
      '1. one',
      '2. two',
      '3. three',
      '    code',
      '    more',
      'Last words.',
    ])
    expect(shown().split(RESTART)).toHaveLength(2)
  }
})

test('text that differs after a restart is shown whole, with a notice', () => {
  const { rich, shown } = screen()
  rich.say('text', 'One thing.\n\nAnd mo')
  rich.restart(RESTART)
  rich.say('text', 'One thing.\n\nAnother.')
  rich.close()
  expect(shown()).toBe(
    `One thing.\n\n${RESTART}\n\nAnd mo\n\n… the answer is different this time; ignore the one above:\n\nOne thing.\n\nAnother.\n`,
  )
  const shorter = screen()
  shorter.rich.say('text', 'One thing.\n\n')
  shorter.rich.restart(RESTART)
  shorter.rich.say('text', 'One')
  shorter.rich.close()
  expect(shorter.shown()).toMatch(/the answer is different this time; ignore the one above:\n\nOne\n$/)
})

test('a dropped connection is one line, about its outcome', () => {
  const at = (body: EventBody): Event => ({ ...body, seq: 1, thread_id: 'th', run_id: 'run', at: '' })
  const back = screen()
  const renderer = new Renderer(back.rich, false, new Map())
  for (let times = 0; times < 3; times++) renderer.showDisconnected()
  expect(back.shown()).toBe('The connection was lost, trying again…')
  renderer.show(at({ type: 'text.delta', step: 1, block: 0, offset: 0, text: 'x' }))
  back.rich.status(null)
  expect(back.shown()).toBe('The connection was lost, and is back.\n')
  const restarted = screen()
  const other = new Renderer(restarted.rich, false, new Map())
  other.showDisconnected()
  other.show(at({ type: 'step.restarted', step: 1, reason: 'crash' }))
  restarted.rich.status(null)
  expect(restarted.shown()).toBe(`${RESTART}\n`)
})

test('errors are wrapped and harmless, and go to standard error', () => {
  const { rich, shown, faults } = screen(30)
  rich.fault(`500 internal: \x1b[2Jsomething that takes more than a line`)
  expect(shown()).toBe('')
  expect(faults()).toBe('500 internal: something that\n  takes more than a line\n')
})
