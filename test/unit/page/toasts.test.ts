// Guards toasts: each stays for its time, and longer while the pointer is over it.

import { expect, it } from 'vitest'

import { createToasts } from '../../../src/page/state/frame/toasts.ts'
import { fakePage } from './ports.ts'

it('a toast disappears when its time is over, and reports that', async () => {
  const { ports, pass } = fakePage({})
  const toasts = createToasts(ports)
  let passed = 0
  toasts.show({ text: 'Copied', durationMs: 1_000, onExpired: () => passed++ })
  await pass(999)
  expect(toasts.list.value).toHaveLength(1)
  await pass(1)
  expect([toasts.list.value.length, passed]).toEqual([0, 1])
})

it('a toast stays while the pointer is over it, and then for the rest of its time', async () => {
  const { ports, pass } = fakePage({})
  const toasts = createToasts(ports)
  toasts.show({ text: 'Deleted', durationMs: 1_000 })
  await pass(600)
  toasts.pause()
  await pass(60_000)
  expect(toasts.list.value).toHaveLength(1)
  toasts.resume()
  await pass(399)
  expect(toasts.list.value).toHaveLength(1)
  await pass(1)
  expect(toasts.list.value).toHaveLength(0)
})

it('a toast has its full time again after keyboard focus, and stays while it is focused', async () => {
  const { ports, pass } = fakePage({})
  const toasts = createToasts(ports)
  toasts.show({ text: 'Deleted', durationMs: 1_000 })
  await pass(900)
  toasts.restart()
  await pass(999)
  expect(toasts.list.value).toHaveLength(1)
  toasts.pause()
  toasts.restart()
  await pass(60_000)
  toasts.resume()
  await pass(999)
  expect(toasts.list.value).toHaveLength(1)
  await pass(1)
  expect(toasts.list.value).toHaveLength(0)
})

it('a toast closed under the pointer does not stop the timer of a later one', async () => {
  const { ports, pass } = fakePage({})
  const toasts = createToasts(ports)
  const first = toasts.show({ text: 'First', durationMs: 1_000 })
  toasts.pause()
  toasts.close(first)
  toasts.show({ text: 'Second', durationMs: 1_000 })
  await pass(1_000)
  expect(toasts.list.value).toHaveLength(0)
})

it('a toast runs the action of its button once, and then does not also expire', async () => {
  const { ports, pass } = fakePage({})
  const toasts = createToasts(ports)
  const done: string[] = []
  const action = { label: 'Undo', run: () => void done.push('undone') }
  const id = toasts.show({
    text: 'Deleted',
    durationMs: 1_000,
    action,
    onExpired: () => void done.push('passed'),
  })
  toasts.runAction(id)
  toasts.runAction(id)
  await pass(5_000)
  expect(done).toEqual(['undone'])
})
