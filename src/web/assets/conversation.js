// One open thread: its transcript, what is being answered in it, and the reader that follows the answer. Never
// touches the list of threads or the key.

import { followRun, freshKey, listAll, runPath } from './api.js'
import { h } from './dom.js'
import { nameOf, pathsOf, sizeOf, uploadsByRun } from './files.js'
import { problemBox } from './receipt.js'
import { field } from './run-items.js'
import { applyEvent, hasEnded, newRun, runFromHistory } from './run-state.js'
import { createRunView } from './views.js'

/** @typedef {import('./api.js').Failure} Failure */
/** @typedef {import('./run-state.js').RunState} RunState */
/** @typedef {import('./run-state.js').Receipt} Receipt */
/** @typedef {import('../../agent/message.ts').Message} Message */
/** @typedef {import('./files.js').FileInfo} FileInfo */

const MESSAGE_PAGES = 100
const RUN_PAGES = 20
const FILE_PAGES = 20
/** A reader this near to the end, in pixels, is taken along as the answer grows. */
const STICKY_PX = 120

/**
 * @param {object} wiring
 * @param {import('./api.js').Call} wiring.call
 * @param {HTMLElement} wiring.log
 * @param {HTMLElement} wiring.scroll
 * @param {() => number | null} wiring.skillCount
 * @param {(threadId: string) => void} wiring.onThread a new thread has its id
 * @param {(state: RunState | null) => void} wiring.onRun the followed run changed; null: none is followed
 * @param {(files: readonly FileInfo[]) => void} wiring.onWaiting files of the thread that no message went with yet
 * @param {(text: string) => void} wiring.onStatus
 */
export function createConversation(wiring) {
  const { call, log, scroll, skillCount, onThread, onRun, onWaiting, onStatus } = wiring
  let visit = new AbortController()
  /** @type {string | null} */
  let thread = null
  /** @type {string | null} */
  let running = null

  /**
   * @param {string} text
   * @param {readonly { path: string, bytes: number }[]} files that went with it
   */
  function addTurn(text, files) {
    const chips = files.map(({ path, bytes }) =>
      h(
        'li',
        { class: 'chip' },
        h('span', { class: 'name', dir: 'auto', title: nameOf(path) }, nameOf(path)),
        h('span', { class: 'about' }, sizeOf(bytes)),
      ),
    )
    const turn = h(
      'article',
      { class: 'turn' },
      chips.length > 0 ? h('ul', { class: 'chips', 'aria-label': 'Attached files' }, ...chips) : null,
      text ? h('div', { class: 'asked', dir: 'auto' }, text) : null,
    )
    log.append(turn)
    return turn
  }

  /**
   * @param {HTMLElement} turn
   * @param {string | null} runId
   * @param {RequestInit | null} start
   * @returns {Promise<Failure | null>} why nothing was started
   */
  async function follow(turn, runId, start) {
    const { signal } = visit
    const view = createRunView(true, call)
    let state = newRun(runId ?? '')
    let drawing = false
    const draw = () => {
      drawing = false
      if (signal.aborted) return
      const sticky = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < STICKY_PX
      view.update(state, skillCount())
      if (!sticky) return
      // At the end the answer stays in sight: of the receipt below it only the head.
      if (hasEnded(state)) turn.querySelector('.receipt > summary')?.scrollIntoView({ block: 'nearest' })
      else scroll.scrollTop = scroll.scrollHeight
    }
    turn.append(view.element)
    draw()
    scroll.scrollTop = scroll.scrollHeight
    onRun(state)
    const failure = await followRun(
      call,
      {
        threadId: thread,
        runId,
        start,
        signal,
        onIds: (ids) => {
          running = ids.runId
          if (state.runId === '') state = newRun(ids.runId)
          if (thread === null) onThread(ids.threadId)
          thread = ids.threadId
          onRun(state)
        },
        onEvent: (event) => {
          const before = state
          state = applyEvent(state, event)
          if (state !== before && !drawing) {
            drawing = true
            requestAnimationFrame(draw)
          }
          if (doing(state) !== doing(before)) onStatus(doing(state))
          if (state.title !== before.title || state.status !== before.status) onRun(state)
          return state
        },
        onWait: (tries) => onStatus(`Connection lost. Trying again (${tries})…`),
      },
      (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    )
    if (signal.aborted) return null
    draw()
    running = null
    onRun(hasEnded(state) ? state : null)
    if (!failure) return null
    onStatus('')
    if (state.runId === '') {
      turn.remove()
      return failure
    }
    // The run goes on without this reader.
    const again = h('button', { type: 'button' }, 'Reconnect')
    const box = problemBox('The connection was lost', failure.detail, failure.code, failure.requestId)
    box.append(again)
    again.addEventListener('click', () => {
      box.remove()
      view.element.remove()
      void follow(turn, state.runId, null)
    })
    turn.append(box)
    return null
  }

  return {
    /**
     * Shows a thread from its beginning and follows what still runs in it; null: a new one.
     * @param {string | null} id
     * @returns {Promise<Failure | null>}
     */
    async open(id) {
      visit.abort()
      visit = new AbortController()
      const { signal } = visit
      thread = id
      running = null
      log.replaceChildren()
      onRun(null)
      onStatus('')
      if (id === null) return null
      const path = `/v1/threads/${encodeURIComponent(id)}`
      // Runs first: one that has ended by then has all its messages in what is read after.
      const runs = await listAll(call, `${path}/runs`, RUN_PAGES)
      const [messages, kept] = runs.ok
        ? await Promise.all([
            listAll(call, `${path}/messages`, MESSAGE_PAGES),
            listAll(call, `${path}/files`, FILE_PAGES),
          ])
        : [runs, runs]
      if (signal.aborted) return null
      if (!runs.ok || !messages.ok) return !runs.ok ? runs.failure : messages.ok ? null : messages.failure
      // The shapes of /v1/threads/:t/runs and …/messages.
      const receipts = /** @type {Receipt[]} */ (runs.data)
      const all = /** @type {Message[]} */ (messages.data)
      // Without the list the conversation can be read all the same. The shape of /v1/threads/:t/files.
      const files = kept.ok ? /** @type {FileInfo[]} */ (kept.data) : []
      const uploads = uploadsByRun(files, receipts)
      const open =
        receipts.find((receipt) => receipt.status === 'running' || receipt.status === 'waiting') ??
        receipts.findLast((receipt) => receipt.status === 'queued')
      const ids = new Set([...all.map((message) => message.run_id), ...(open ? [open.run_id] : [])])
      for (const runId of ids) {
        const own = all.filter((message) => message.run_id === runId)
        const turn = addTurn(asked(own), uploads.byRun.get(runId) ?? [])
        const receipt = receipts.find((other) => other.run_id === runId) ?? null
        if (receipt && receipt === open) {
          void follow(turn, runId, null)
          continue
        }
        const view = createRunView(false, call)
        view.update(runFromHistory(runId, own, receipt, { id, files }), null)
        turn.append(view.element)
      }
      onWaiting(uploads.waiting)
      scroll.scrollTop = scroll.scrollHeight
      return null
    },

    /** The id of the thread; null: it is new. */
    thread: () => thread,

    /**
     * Asks, and follows the answer to its end.
     * @param {string} text
     * @param {string | null} made the thread that was made for its files
     * @param {readonly { path: string, bytes: number }[]} files
     * @returns {Promise<Failure | null>} why nothing was started
     */
    async send(text, made, files) {
      const id = thread ?? made
      const body = JSON.stringify({ message: text, stream: true, ...(id && { thread_id: id }) })
      const headers = { accept: 'text/event-stream', 'idempotency-key': freshKey() }
      return follow(addTurn(text, files), null, { method: 'POST', headers, body })
    },

    /** @returns {Promise<Failure | null>} */
    async cancel() {
      if (!thread || !running) return null
      onStatus('Cancelling…')
      const answer = await call(runPath(thread, running, 'cancel'), { method: 'POST' })
      return answer.ok ? null : answer.failure
    },
  }
}

/**
 * What the person wrote: tool results come as user messages too.
 * @param {readonly Message[]} messages of one run
 */
function asked(messages) {
  const message = messages.find(
    ({ role, content }) => role === 'user' && !content.some((block) => block.type === 'tool_result'),
  )
  return (message?.content ?? []).flatMap((block) => field(block, 'text') ?? []).join('\n')
}

/** @param {RunState} state */
function doing(state) {
  if (hasEnded(state)) return state.status === 'completed' ? 'Answer complete.' : ''
  if (state.status === 'waiting') return 'Waiting for your answer.'
  const last = state.items.at(-1)
  if (last?.kind === 'tool' && last.state === 'running') {
    const what = field(last.input, 'name') ?? nameOf(pathsOf(last.input)[0] ?? '')
    return last.name === 'load_skill' ? `Loading the skill ${what}…` : `Running ${last.name} ${what}…`
  }
  if (last?.kind === 'text' && !last.done) return 'Answering…'
  return state.status === 'queued' ? 'Waiting…' : 'Working…'
}
