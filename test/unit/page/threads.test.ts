// Guards the list of threads: it is the server's list plus what the page knows earlier, such as a new thread's first
// words, a new name, or a pending deletion.

import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'

import type { ThreadDetails } from '../../../src/thread/api.ts'
import { createDeletions } from '../../../src/page/state/threads/deletions.ts'
import { createUnlistedThreads } from '../../../src/page/state/threads/unlisted.ts'
import { threadRoute } from '../../../src/page/state/frame/route.ts'
import { createLastViewed } from '../../../src/page/state/threads/last-viewed.ts'
import { createRows } from '../../../src/page/state/threads/rows.ts'
import { createThreads } from '../../../src/page/state/threads/threads.ts'
import { createToasts } from '../../../src/page/state/frame/toasts.ts'
import { createTurn, type Turn } from '../../../src/page/state/chat/turn.ts'
import { newRun } from '../../../src/page/run/state.ts'
import { isMissing, openThread, titleOfThread } from '../../../src/page/views/chat.tsx'
import { composing, gate } from './composing.ts'
import { browserOf, fakePage, list, refusal, settled, threadInfo, type Answers } from './ports.ts'

function pageWith(answers: Answers, tabs = browserOf()) {
  const page = fakePage(answers, tabs)
  const threads = createThreads(page.ports, page.client)
  const threadId = signal<string | null>(null)
  const turns = signal<readonly Turn[]>([])
  const active = signal<Turn | null>(null)
  const toasts = createToasts(page.ports)
  const deletions = createDeletions({ client: page.client, toasts, onDeleted: threads.drop })
  const unlisted = createUnlistedThreads({ threadId, turns }, threads.list, page.ports.now)
  const info = signal<ThreadDetails | null>(null)
  const lastViewed = createLastViewed(page.ports, { info })
  const rows = createRows(
    threads.list,
    threads.waitingIds,
    unlisted,
    deletions,
    { threadId, turns, activeTurn: active },
    lastViewed,
  )
  const titles = (): readonly string[] => rows.value?.map(({ title }) => title) ?? []
  return { ...page, threads, threadId, turns, active, toasts, deletions, rows, titles, info }
}

function turnOf(text: string): Turn {
  return createTurn(text, { text, files: [], messageId: null }, newRun(''))
}

describe('a new thread', () => {
  it('is listed at once under the beginning of its message, then under the server’s title', async () => {
    let served = [threadInfo('th_0')]
    const page = pageWith({ 'GET /v1/threads': () => list(served) })
    await page.threads.refresh()
    page.turns.value = [turnOf('Write a report\nof the outage')]
    expect(page.rows.value?.[0]).toMatchObject({ id: null, title: 'Write a report of the outage' })
    page.threadId.value = 'th_1'
    expect(page.rows.value?.[0]).toMatchObject({ id: 'th_1', title: 'Write a report of the outage' })
    served = [threadInfo('th_1', { title: '', status: 'busy' }), threadInfo('th_0')]
    await page.threads.refresh()
    expect(page.titles()).toEqual(['Write a report of the outage', 'Title of th_0'])
    served = [threadInfo('th_1', { title: 'Report of the outage' }), threadInfo('th_0')]
    await page.threads.refresh()
    expect(page.titles()).toEqual(['Report of the outage', 'Title of th_0'])
  })

  it('without an ID can be returned to unchanged, while another new one can be started', async () => {
    const requested = gate()
    const page = await composing({
      'POST /v1/chat': async () => {
        await requested.opened
        return refusal(500, 'internal')
      },
    })
    openThread(page, threadRoute(null), false)
    page.composer.write('Write a report')
    await page.composer.send()
    openThread(page, { ...threadRoute(null), isAlreadyOpen: true }, false)
    openThread(page, threadRoute(null), true)
    expect(page.conversation.turns.value).toHaveLength(1)
    openThread(page, threadRoute(null), false)
    expect(page.conversation.turns.value).toEqual([])
    requested.open()
    await settled()
  })

  it('that the server does not have is called missing, and one that could not be read is not', async () => {
    const page = await composing({
      'GET /v1/threads/gone/runs': () => refusal(404, 'not_found'),
      'GET /v1/threads/th_1/runs': () => refusal(500, 'internal'),
    })
    const looked = { ...page, rows: signal([]) }
    await page.go('gone')
    expect([titleOfThread(looked), isMissing(page.conversation)]).toEqual(['Thread not found', true])
    await page.go('th_1')
    expect([titleOfThread(looked), isMissing(page.conversation)]).toEqual(['New thread', false])
  })

  it('disappears with its deletion in another tab', async () => {
    const tabs = browserOf()
    let served = [threadInfo('th_1', { title: '', status: 'busy' })]
    const [here, there] = [pageWith({ 'GET /v1/threads': () => list(served) }, tabs), pageWith({}, tabs)]
    here.turns.value = [turnOf('Write a report')]
    here.threadId.value = 'th_1'
    await here.threads.refresh()
    expect(here.titles()).toEqual(['Write a report'])
    served = []
    there.threads.drop('th_1')
    expect(here.titles()).toEqual([])
  })

  it('is not listed when an existing thread is opened', async () => {
    const page = pageWith({ 'GET /v1/threads': () => list([threadInfo('th_0')]) })
    await page.threads.refresh()
    page.threadId.value = 'th_old'
    page.turns.value = [turnOf('From long ago')]
    expect(page.titles()).toEqual(['Title of th_0'])
  })
})

describe('the list', () => {
  it('shows the open thread as idle when its answer has ended, even before the server does', async () => {
    const page = pageWith({
      'GET /v1/threads': () =>
        list([threadInfo('a', { status: 'busy' }), threadInfo('b', { status: 'busy' })]),
    })
    await page.threads.refresh()
    const turn = turnOf('Why?')
    page.threadId.value = 'a'
    page.turns.value = [turn]
    page.active.value = turn
    expect(page.rows.value?.map(({ isBusy: busy }) => busy)).toEqual([true, true])
    page.active.value = null
    expect(page.rows.value?.map(({ isBusy: busy }) => busy)).toEqual([false, true])
  })

  it('keeps older pages when the newest is read again, and drops deleted threads from it', async () => {
    const day = (hour: number): string => `2026-03-04T0${hour}:00:00.000Z`
    let newest = list([threadInfo('d', { updated_at: day(4) }), threadInfo('c', { updated_at: day(3) })], 'x')
    const page = pageWith({
      'GET /v1/threads': (url) =>
        url.searchParams.get('cursor') === 'x'
          ? list([threadInfo('b', { updated_at: day(2) }), threadInfo('a', { updated_at: day(1) })])
          : newest,
    })
    await page.threads.refresh()
    expect(page.threads.hasMore.value).toBe(true)
    await page.threads.readMore()
    expect(page.rows.value?.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
    expect(page.threads.hasMore.value).toBe(false)
    // `a` got a message, and `d` was deleted.
    newest = list([threadInfo('a', { updated_at: day(5) }), threadInfo('c', { updated_at: day(3) })], 'y')
    await page.threads.refresh()
    expect(page.rows.value?.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect(page.threads.hasMore.value).toBe(false)
  })

  it('is read just once more for any number of changes while it was read', async () => {
    const page = pageWith({ 'GET /v1/threads': () => list([]) })
    for (let times = 0; times < 10; times++) void page.threads.refresh()
    await settled()
    expect(page.calls.filter((call) => call.startsWith('GET /v1/threads'))).toHaveLength(2)
  })

  it('shows which threads wait, and follows changes in other tabs', async () => {
    const tabs = browserOf()
    const answers: Answers = {
      'GET /v1/threads': () => list([threadInfo('th_1'), threadInfo('th_2')]),
      'GET /v1/approvals': () => list([{ thread_id: 'th_2' }]),
    }
    const [here, there] = [pageWith(answers, tabs), pageWith(answers, tabs)]
    await here.threads.refresh(true)
    await settled()
    expect(there.rows.value?.map(({ isWaiting }) => isWaiting)).toEqual([false, true])
    here.threads.drop('th_1')
    expect(there.rows.value?.map(({ id }) => id)).toEqual(['th_2'])
  })

  it('stays as it was, with an error, when it cannot be read', async () => {
    let fails = false
    const page = pageWith({
      'GET /v1/threads': () => (fails ? refusal(503, 'not_ready') : list([threadInfo('th_1')])),
    })
    await page.threads.refresh()
    fails = true
    await page.threads.refresh()
    expect(page.titles()).toEqual(['Title of th_1'])
    expect(page.threads.trouble.value).toMatchObject({ remedy: 'again', detail: 'It is not_ready.' })
  })
})

describe('a thread with branches', () => {
  const tree = threadInfo('branch', {
    root: 'root',
    tree: {
      title: 'The first title',
      count: 3,
      threads: [
        { thread_id: 'branch', status: 'idle' },
        { thread_id: 'other', status: 'busy' },
        { thread_id: 'root', status: 'idle' },
      ],
    },
  })
  const answers: Answers = {
    'GET /v1/threads': () => list([tree, threadInfo('th_2')]),
    'GET /v1/approvals': () => list([{ thread_id: 'root' }]),
  }

  it('is one row with the title of its root, read with one request, that opens the newest', async () => {
    const page = pageWith(answers)
    await page.threads.refresh()
    expect(page.rows.value?.[0]).toEqual({
      id: 'branch',
      threadIds: ['root', 'branch', 'other'],
      title: 'The first title',
      time: tree.updated_at,
      isBusy: true,
      isWaiting: true,
    })
    expect(page.calls).toEqual(['GET /v1/threads?branches=folded&limit=100', 'GET /v1/approvals?limit=100'])
  })

  it('opens the branch that was viewed last in this browser', async () => {
    const tabs = browserOf()
    const page = pageWith(answers, tabs)
    await page.threads.refresh()
    page.info.value = threadInfo('other', { root: 'root' })
    expect(page.rows.value?.[0]?.id).toBe('other')
    const later = pageWith(answers, tabs)
    await later.threads.refresh()
    expect(later.rows.value?.[0]?.id).toBe('other')
    // A deleted branch cannot be opened.
    later.threads.drop('other')
    expect(later.rows.value?.[0]).toMatchObject({ id: 'branch', threadIds: ['root', 'branch'] })
  })

  it('is deleted with all of them, says how many they are, and is restored whole', async () => {
    const page = pageWith(answers)
    await page.threads.refresh()
    page.deletions.remove(['root', 'branch', 'other'], 'One', () => undefined)
    expect(page.titles()).toEqual(['Title of th_2'])
    expect(page.toasts.list.value[0]?.text).toBe('3 versions of “One” were deleted.')
    page.toasts.runAction(page.toasts.list.value[0]?.id ?? 0)
    expect(page.rows.value?.[0]?.threadIds).toHaveLength(3)
    page.deletions.remove(['root', 'branch', 'other'], 'One', () => undefined)
    await page.pass(5_000)
    expect(page.calls.filter((call) => call.startsWith('DELETE'))).toEqual(
      ['root', 'branch', 'other'].map((id) => `DELETE /v1/threads/${id}`),
    )
    expect(page.threads.list.value).toHaveLength(1)
  })
})

describe('a rename', () => {
  it('is shown at once, and reverted when the server refuses it', async () => {
    let answered: (response: Response) => void = () => undefined
    const page = pageWith({
      'GET /v1/threads': () => list([threadInfo('th_1')]),
      'PATCH /v1/threads/th_1': async () => new Promise((answer) => (answered = answer)),
    })
    await page.threads.refresh()
    const naming = page.threads.rename('th_1', 'Another name')
    expect(page.titles()).toEqual(['Another name'])
    await settled()
    answered(refusal(503, 'not_ready'))
    expect((await naming).ok).toBe(false)
    expect(page.titles()).toEqual(['Title of th_1'])
  })
})

describe('a deletion', () => {
  const answers: Answers = { 'GET /v1/threads': () => list([threadInfo('th_1'), threadInfo('th_2')]) }
  const deleted = (calls: readonly string[]): number =>
    calls.filter((call) => call === 'DELETE /v1/threads/th_1').length

  it('is shown at once and sent after five seconds', async () => {
    const page = pageWith({
      ...answers,
      'DELETE /v1/threads/th_1': () => new Response(null, { status: 204 }),
    })
    await page.threads.refresh()
    page.deletions.remove(['th_1'], 'One', () => undefined)
    expect(page.titles()).toEqual(['Title of th_2'])
    await page.pass(4_900)
    expect(deleted(page.calls)).toBe(0)
    await page.pass(200)
    expect(deleted(page.calls)).toBe(1)
    expect(page.threads.list.value?.map(({ id }) => id)).toEqual(['th_2'])
  })

  it('is undone by its toast, and nothing is sent', async () => {
    const page = pageWith(answers)
    await page.threads.refresh()
    let back = 0
    page.deletions.remove(['th_1'], 'One', () => back++)
    page.toasts.runAction(page.toasts.list.value[0]?.id ?? 0)
    await page.pass(60_000)
    expect([back, deleted(page.calls), page.titles()]).toEqual([1, 0, ['Title of th_1', 'Title of th_2']])
  })

  it('is sent when the page closes', async () => {
    const page = pageWith(answers)
    await page.threads.refresh()
    page.deletions.remove(['th_1'], 'One', () => undefined)
    page.toasts.closeAll()
    await settled()
    expect(deleted(page.calls)).toBe(1)
  })

  it('that fails restores the thread with an error; one that another client already did does not', async () => {
    for (const [status, code, left] of [
      [503, 'not_ready', 2],
      [404, 'not_found', 1],
    ] as const) {
      const page = pageWith({ ...answers, 'DELETE /v1/threads/th_1': () => refusal(status, code) })
      await page.threads.refresh()
      page.deletions.remove(['th_1'], 'One', () => undefined)
      await page.pass(5_000)
      expect(page.titles()).toHaveLength(left)
      expect(page.toasts.list.value.map(({ text }) => text)).toEqual(
        left === 2 ? ['“One” could not be deleted and is back in the list. It is not_ready.'] : [],
      )
    }
  })
})
