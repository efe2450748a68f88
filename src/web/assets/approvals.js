// A call that waits for a person, as a card: what would be sent and where, and the answer. What the server shows is shown as
// it came, marks and cuts with it; an answer goes for the request on the card and for no other one.

import { runPath } from './api.js'
import { h } from './dom.js'

/** @typedef {import('./run-items.js').Approval} Approval */
/** @typedef {import('./api.js').Call} Call */
/** @typedef {{ decision: 'approve' | 'deny', note?: string, remember?: string }} Answer */

const NOTE_CHARS = 2_000
let cards = 0

/**
 * @param {Call} call
 * @returns {{ element: HTMLElement, show: (item: import('./run-items.js').Item) => void }}
 */
export function createApproval(call) {
  const id = `approval-${++cards}`
  const title = h('h3', { id, tabindex: '-1' })
  const request = h('div', { class: 'request' })
  // A reader of the screen hears what became of it, and of an answer.
  const said = h('p', { class: 'quiet', role: 'status' })
  const form = h('div', { class: 'answering' })
  const card = h('div', { class: 'card', role: 'group', 'aria-labelledby': id }, title, request, form, said)
  /** @type {Approval | null} */
  let shown = null

  /** @param {Answer} answer */
  async function send(answer) {
    const asked = shown
    if (!asked) return
    setOff(form, true)
    said.textContent = 'Sending your answer…'
    const path = `${runPath(asked.threadId, asked.runId, 'approvals')}/${encodeURIComponent(asked.toolUseId)}`
    const body = JSON.stringify({ ...answer, digest: asked.digest })
    const taken = await call(path, { method: 'POST', body })
    // The event says who and what; it may have come before this.
    if (taken.ok) said.textContent = shown?.decision ? '' : 'Your answer is kept.'
    else said.textContent = taken.failure.detail
    if (!taken.ok && taken.failure.code !== 'approval_closed') setOff(form, false)
    title.focus()
  }

  return {
    element: h('li', { class: 'node approval' }, card),
    show(item) {
      if (item.kind !== 'approval') return
      const changed = shown !== null && shown.digest !== item.digest
      const fresh = shown === null || changed
      shown = item
      title.textContent = heading(item)
      card.classList.toggle('decided', item.decision !== null)
      if (fresh) request.replaceChildren(...requestParts(item))
      if (changed) said.textContent = 'What this call would do has changed. Look at it again.'
      if (item.decision !== null) {
        form.replaceChildren()
        said.textContent = ''
      } else if (fresh) form.replaceChildren(...answering(item.expires, (answer) => void send(answer)))
    },
  }
}

const DECIDED = {
  approve: 'approved',
  deny: 'denied',
  expired: 'refused: nobody answered in time',
  closed: 'not answered: the run has ended',
}

/** @param {Approval} item */
function heading({ name, decision, by }) {
  if (decision === null) return `May ${name} be called?`
  return `${name}: ${DECIDED[decision]}${decision === 'approve' || decision === 'deny' ? ` by ${by}` : ''}`
}

/** @param {Approval} item */
function requestParts({ input, request, reason }) {
  const why = h('p', { class: 'quiet' }, reason)
  if (!request) {
    const text = input === null ? 'The input is too long to be shown here.' : JSON.stringify(input, null, 2)
    return [why, h('pre', { tabindex: '0' }, text)]
  }
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return [
    why,
    h(
      'pre',
      { tabindex: '0', 'aria-label': 'What would be sent' },
      [
        `${request.method} ${request.url}`,
        ...headers,
        ...(request.body === null ? [] : ['', request.body]),
      ].join('\n'),
    ),
    ...request.notes.map((note) => h('p', { class: 'warning' }, note)),
  ]
}

/**
 * @param {string} expires
 * @param {(answer: Answer) => void} onAnswer
 */
function answering(expires, onAnswer) {
  const note = h('input', { type: 'text', maxlength: `${NOTE_CHARS}`, placeholder: 'Why not (optional)' })
  const remember = h(
    'select',
    {},
    h('option', { value: '' }, 'Ask each time'),
    h('option', { value: 'run' }, 'Remember for this run'),
    h('option', { value: 'thread' }, 'Remember for this thread'),
  )
  const approve = h('button', { type: 'button', class: 'main-action' }, 'Approve')
  const deny = h('button', { type: 'button' }, 'Deny')
  approve.addEventListener('click', () => {
    const scope = valueOf(remember)
    onAnswer({ decision: 'approve', ...(scope && { remember: scope }) })
  })
  deny.addEventListener('click', () => {
    const why = valueOf(note).trim()
    onAnswer({ decision: 'deny', ...(why && { note: why }) })
  })
  const until = new Date(expires).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  return [
    h(
      'p',
      { class: 'quiet' },
      'Without an answer it is refused on ',
      h('time', { datetime: expires }, until),
      '.',
    ),
    h('div', {}, approve, h('label', {}, h('span', { class: 'unseen' }, 'The same call again'), remember)),
    h('div', {}, deny, h('label', {}, h('span', { class: 'unseen' }, 'Note with a denial'), note)),
  ]
}

/** @param {HTMLElement} element */
function valueOf(element) {
  return element instanceof HTMLSelectElement || element instanceof HTMLInputElement ? element.value : ''
}

/**
 * @param {HTMLElement} form
 * @param {boolean} off
 */
function setOff(form, off) {
  for (const element of form.querySelectorAll('button, input, select'))
    element.toggleAttribute('disabled', off)
}
