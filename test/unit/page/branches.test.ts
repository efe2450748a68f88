// Guards switching between the branches of a thread: shared turns stay, the rest is replaced at once, and switching
// back returns to the previous branch.

import { expect, it } from 'vitest'

import type { Message } from '../../../src/agent/message.ts'
import { message, RECEIPT } from './frames.ts'
import { list, settled, threadInfo } from './ports.ts'
import { talk } from './talk.ts'

const messagesOf = (run: string, text: string): Message[] => [
  { ...message(`q_${run}`, 'user', [{ type: 'text', text }]), run_id: run },
  { ...message(`a_${run}`, 'assistant', [{ type: 'text', text: `Answer to ${text}` }]), run_id: run },
]
const fork = (id: string, source: string, messages: number) =>
  threadInfo(id, { root: 'root', forked_from: { thread_id: source, message_id: 'm', messages } })
const TREE = [
  threadInfo('root', { branches: [{ thread_id: 'b', message_id: 'm', created_at: RECEIPT.accepted_at }] }),
  fork('b', 'root', 2),
  fork('c', 'b', 4),
]
const TEXTS: Readonly<Record<string, readonly Message[]>> = {
  root: [...messagesOf('r1', 'One'), ...messagesOf('r2', 'Two')],
  b: [...messagesOf('r1', 'One'), ...messagesOf('b2', 'Two, edited'), ...messagesOf('b3', 'Three')],
  c: [...messagesOf('r1', 'One'), ...messagesOf('b2', 'Two, edited'), ...messagesOf('c3', 'Three, edited')],
}

function tree() {
  const threads = TREE.flatMap((info) => [
    [`GET /v1/threads/${info.id}`, () => Response.json(info)] as const,
    [`GET /v1/threads/${info.id}/messages`, () => list(TEXTS[info.id] ?? [])] as const,
  ])
  return talk({ ...Object.fromEntries(threads), 'GET /v1/threads': () => list(TREE) })
}

it('shows the other branch in place of the difference, and keeps shared turns', async () => {
  const { conversation } = tree()
  const texts = (): readonly string[] => conversation.turns.value.map(({ question }) => question.value.text)
  await conversation.open('root')
  await settled()
  const [first, second] = conversation.turns.value
  if (!first || !second) throw new Error('there are two turns')
  const { branches } = conversation
  expect(branches.pointOf(first)).toBeNull()
  expect(branches.pointOf(second)).toEqual({ versions: ['root', 'b'], index: 0 })
  expect(branches.neighbour(second, 'previous')).toBeNull()
  const opening = conversation.open('b')
  // Nothing disappears while the other branch is loaded.
  expect(conversation.turns.value).toHaveLength(2)
  await opening
  await settled()
  expect(texts()).toEqual(['One', 'Two, edited', 'Three'])
  expect(conversation.turns.value[0]).toBe(first)
  const [, edited, third] = conversation.turns.value
  if (!edited || !third) throw new Error('there are three turns')
  expect(branches.pointOf(edited)).toEqual({ versions: ['root', 'b'], index: 1 })
  expect(branches.neighbour(third, 'next')).toBe('c')
})

it('returns to the branch that was shown last, not to the first one with that question', async () => {
  const { conversation } = tree()
  const { branches } = conversation
  for (const id of ['b', 'c', 'root']) {
    await conversation.open(id)
    await settled()
  }
  const [, second] = conversation.turns.value
  expect(second && branches.neighbour(second, 'next')).toBe('c')
})

it('shows nothing of the previous thread if it does not belong to the same tree', async () => {
  const { conversation } = tree()
  await conversation.open('root')
  const opening = conversation.open('elsewhere')
  expect([conversation.turns.value, conversation.info.value]).toEqual([[], null])
  await opening
})
