// The entries of the side list, and a skill as an idea for a first message. Shows, decides nothing.

import { h } from './dom.js'
import { label } from './receipt.js'

/** @typedef {import('./slash.js').Command & { category: string, enabled: boolean, updated_at: string | null }} Skill */

/** @typedef {{ id: string, title: string, updated_at: string }} Thread */

export const NEW = 'New thread'

/**
 * @param {Thread} thread
 * @param {boolean} isOpen
 */
export function threadEntry({ id, title, updated_at }, isOpen) {
  const link = h('a', { href: `#t=${encodeURIComponent(id)}`, dir: 'auto' }, title || NEW)
  if (isOpen) link.setAttribute('aria-current', 'page')
  return h('li', {}, link, h('time', { datetime: updated_at }, when(updated_at)))
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
