// Guards the inbox and its notifications: every pending call is listed once, a decided one keeps its position, and
// nobody is notified unless they asked for it.

import { signal } from '@preact/signals'
import { expect, it } from 'vitest'

import type { Notifications } from '../../../src/page/lib/platform.ts'
import { createInbox } from '../../../src/page/state/inbox/inbox.ts'
import { createNotifier } from '../../../src/page/state/inbox/notifications.ts'
import type { ApprovalInfo } from '../../../src/thread/approvals/api.ts'
import { fakePage, storeOf } from './ports.ts'

function waiting(id: string, requested_at: string, digest = id): ApprovalInfo {
  return {
    thread_id: `th_${id}`,
    run_id: 'run_1',
    tool_use_id: id,
    name: `tool_${id}`,
    input: {},
    request: null,
    reason: 'A rule.',
    digest,
    free: [],
    by: 'owner',
    requested_at,
    expires_at: '2026-03-11T09:00:00.000Z',
  }
}

const [A, B, C] = [waiting('a', '1'), waiting('b', '2'), waiting('c', '3')]

function inboxOf(...calls: readonly ApprovalInfo[]) {
  const { client } = fakePage({})
  const approvals = signal<readonly ApprovalInfo[] | null>(calls)
  const hiddenIds = signal<ReadonlySet<string>>(new Set())
  const inbox = createInbox({ client, threads: { approvals }, deletions: { hiddenIds } })
  const shown = (): readonly string[] | undefined =>
    inbox.entries.value?.map(({ item }) => `${item.toolUseId} ${item.decision ?? 'waits'}`)
  return { client, approvals, hiddenIds, inbox, shown }
}

it('keeps a decided call in its position until it is closed, even if an older list arrives late', () => {
  const { approvals, inbox, shown } = inboxOf(A, B, C)
  const entry = inbox.entries.value?.[1]
  if (!entry) throw new Error('The inbox has no second entry.')
  inbox.recordAnswer(entry, 'deny', 'user:ada')
  const expected = ['a waits', 'b deny', 'c waits']
  expect(shown()).toEqual(expected)
  approvals.value = [A, C]
  expect([shown(), inbox.count.value]).toEqual([expected, 2])
  approvals.value = [A, B, C]
  expect([shown(), inbox.count.value]).toEqual([expected, 2])
  expect([...inbox.waitingIds.value]).toEqual(['th_a', 'th_c'])
  inbox.clearAnswered()
  approvals.value = [A, C]
  expect(shown()).toEqual(['a waits', 'c waits'])
})

it('asks again if another request replaced a decided one', () => {
  const { approvals, inbox, shown } = inboxOf(A)
  const entry = inbox.entries.value?.[0]
  if (!entry) throw new Error('The inbox has no entry.')
  inbox.recordAnswer(entry, 'approve', 'user:ada')
  approvals.value = [waiting('a', '4', 'changed')]
  expect([shown(), inbox.count.value]).toEqual([['a waits'], 1])
})

it('has nothing of a thread that is being deleted, and nothing of another account', () => {
  const { approvals, client, hiddenIds, inbox, shown } = inboxOf(A, B)
  hiddenIds.value = new Set(['th_a'])
  expect(shown()).toEqual(['b waits'])
  const entry = inbox.entries.value?.[0]
  if (!entry) throw new Error('The inbox has no entry.')
  inbox.recordAnswer(entry, 'approve', 'user:ada')
  client.value = null
  approvals.value = null
  expect(shown()).toBeUndefined()
  approvals.value = []
  expect(shown()).toEqual([])
})

/** A notifier whose document may be hidden. `answer`: the answer to the request for permission. */
function notifying(answer: NotificationPermission, stored = storeOf(), canShow = true) {
  const log: string[] = []
  const presses: (() => void)[] = []
  const notifications: Notifications = {
    permission: () => answer,
    ask: async () => {
      log.push('asked')
      return answer
    },
    show(_, body, tag, onPress) {
      if (!canShow) throw new TypeError('Illegal constructor')
      log.push(`${body} ${tag}`)
      presses.push(onPress)
    },
  }
  const approvals = signal<readonly ApprovalInfo[] | null>(null)
  const document = { hidden: true, hasFocus: () => false }
  const notifier = createNotifier({
    ports: { browser: stored, notifications },
    approvals,
    document,
    onPress: () => void log.push('opened'),
  })
  return { approvals, document, log, notifier, presses, stored }
}

it('notifies of new calls only, once enabled, while the page is hidden', async () => {
  const { approvals, document, log, notifier, presses, stored } = notifying('granted')
  approvals.value = [A]
  approvals.value = [A, B]
  expect(log).toEqual([])
  await notifier.switchTo(true)
  expect([notifier.isOn.value, stored.get('satchel.notify'), log.splice(0).length]).toEqual([true, 'on', 2])
  approvals.value = [A, B, C]
  expect(log.splice(0)).toEqual(['Approve the call to tool_c? c'])
  presses.at(-1)?.()
  expect(log.splice(0)).toEqual(['opened'])
  approvals.value = null
  approvals.value = [A]
  expect(log).toEqual([])
  approvals.value = [A, B, C]
  expect(log.splice(0)).toEqual(['2 calls need your approval c'])
  document.hidden = false
  document.hasFocus = () => true
  approvals.value = [A, B, C, waiting('d', '4')]
  await notifier.switchTo(false)
  document.hidden = true
  approvals.value = [A, B, C, waiting('d', '4'), waiting('e', '5')]
  expect([log, notifier.isOn.value, stored.get('satchel.notify')]).toEqual([[], false, null])
})

it('asks for permission only after a press, and says why it stays off', async () => {
  const denied = notifying('denied')
  expect(denied.log).toEqual([])
  await denied.notifier.switchTo(true)
  expect([denied.log, denied.notifier.isOn.value]).toEqual([['asked'], false])
  expect(denied.notifier.problem.value).toMatch(/^This browser blocks notifications/)
  const unable = notifying('granted', storeOf(), false)
  await unable.notifier.switchTo(true)
  expect([unable.notifier.isOn.value, unable.notifier.problem.value]).toEqual([
    false,
    'This browser cannot show notifications from a page.',
  ])
})

it('stays on in this browser, unless the permission was withdrawn', () => {
  const stored = storeOf()
  stored.set('satchel.notify', 'on')
  expect(notifying('granted', stored).notifier.isOn.value).toBe(true)
  expect(notifying('default', stored).notifier.isOn.value).toBe(false)
})
