// The entries of the side list, and a skill as an idea for a first message. Shows, decides nothing.

import { listAll } from './api.js'
import { h } from './dom.js'
import { label } from './receipt.js'

/** @typedef {import('./slash.js').Command & { category: string, enabled: boolean, updated_at: string | null }} Skill */

/** @typedef {{ id: string, title: string, updated_at: string, waits: boolean }} Thread `waits`: for the reader's answer */

export const NEW = 'New thread'

/**
 * @param {import('./api.js').Call} call
 * @param {number} pages
 */
export async function readThreads(call, pages) {
  const [page, waiting] = await Promise.all([
    listAll(call, '/v1/threads', pages),
    listAll(call, '/v1/approvals', 1),
  ])
  // The shapes of /v1/threads and /v1/approvals; without the latter the list can be read all the same.
  const asked = /** @type {{ thread_id: string }[]} */ (waiting.ok ? waiting.data : [])
  const waits = new Set(asked.map((one) => one.thread_id))
  if (!page.ok) return page
  const threads = /** @type {Thread[]} */ (page.data).map((one) => ({ ...one, waits: waits.has(one.id) }))
  return { ok: /** @type {const} */ (true), threads, more: page.more }
}

/**
 * @param {Thread} thread
 * @param {boolean} isOpen
 * @param {boolean} nowWaits whether the open one does: the list may be a moment behind
 */
export function threadEntry({ id, title, updated_at, waits }, isOpen, nowWaits) {
  const link = h('a', { href: `#t=${encodeURIComponent(id)}`, dir: 'auto' }, title || NEW)
  if (isOpen) link.setAttribute('aria-current', 'page')
  const mark = (isOpen ? nowWaits : waits)
    ? h('span', { class: 'badge waits', title: 'Waits for your answer' }, 'waits')
    : null
  return h('li', {}, link, mark, h('time', { datetime: updated_at }, when(updated_at)))
}

/** @param {Skill} skill */
export function skillEntry({ name, description, category, enabled, updated_at }) {
  const off = enabled ? null : h('span', { class: 'badge off' }, 'off')
  const summary = h('summary', {}, h('span', { class: 'name' }, name), label(category), off)
  return h(
    'li',
    { class: enabled ? '' : 'disabled' },
    h(
      'details',
      {},
      summary,
      h('p', { dir: 'auto' }, description),
      ...(updated_at === null ? [] : [h('time', { datetime: updated_at }, `Since ${when(updated_at)}`)]),
    ),
  )
}

/**
 * @param {Skill} skill
 * @param {(name: string) => void} onChosen
 */
export function idea({ name, description }, onChosen) {
  const button = h(
    'button',
    { type: 'button', class: 'idea' },
    h('strong', {}, name),
    h('span', {}, description.slice(0, 200)),
  )
  button.addEventListener('click', () => onChosen(name))
  return button
}

/** @param {string} time */
function when(time) {
  const date = new Date(time)
  const today = date.toDateString() === new Date().toDateString()
  return date.toLocaleString([], today ? { timeStyle: 'short' } : { day: 'numeric', month: 'short' })
}
