// The composer's offer of skills: while a message begins with a slash, the skills that a person may call by name.

import { h } from './dom.js'

/** @typedef {{ name: string, description: string, user_invocable: boolean, argument_hint: string | null }} Command */

const SHOWN = 8
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const TYPED = /^((?:\/[a-z0-9-]+\s+)*\/)([a-z0-9-]*)$/

/**
 * What a message that reads so up to the caret may go on with: names that begin so, then names that hold it.
 * @param {string} before
 * @param {readonly Command[]} commands
 * @returns {{ head: string, found: readonly Command[] }} `head` stays, the name comes behind it
 */
export function offered(before, commands) {
  const [, head = '', part = ''] = TYPED.exec(before) ?? []
  if (head === '') return { head, found: [] }
  const called = new Set(head.match(/[a-z0-9-]+/g))
  // A name that no command can spell is for the agent alone.
  const free = commands.filter(
    ({ name, user_invocable }) => user_invocable && NAME.test(name) && !called.has(name),
  )
  const first = free.filter(({ name }) => name.startsWith(part))
  const others = free.filter(({ name }) => !name.startsWith(part) && name.includes(part))
  return { head, found: [...first, ...others].slice(0, SHOWN) }
}

/**
 * @param {HTMLTextAreaElement} message
 * @param {HTMLElement} list where the names are shown; a listbox
 */
export function createOffer(message, list) {
  /** @type {readonly Command[]} */
  let commands = []
  /** @type {{ head: string, found: readonly Command[] }} */
  let now = { head: '', found: [] }
  let at = 0

  function show() {
    const open = now.found.length > 0
    list.hidden = !open
    if (open) message.setAttribute('aria-activedescendant', `offer-${at}`)
    else message.removeAttribute('aria-activedescendant')
    list.replaceChildren(...now.found.map(option))
    list.children[at]?.scrollIntoView({ block: 'nearest' })
  }

  /**
   * @param {Command} command
   * @param {number} index
   */
  function option({ name, description, argument_hint }, index) {
    const item = h(
      'li',
      { role: 'option', id: `offer-${index}`, 'aria-selected': `${index === at}` },
      h('strong', {}, `/${name}`),
      argument_hint ? h('code', {}, ` ${argument_hint}`) : null,
      h('span', { dir: 'auto' }, description.slice(0, 120)),
    )
    // Before the text loses its focus.
    item.addEventListener('mousedown', (event) => {
      event.preventDefault()
      take(index)
    })
    return item
  }

  function close() {
    now = { head: '', found: [] }
    show()
  }

  /** @param {number} index */
  function take(index) {
    const command = now.found[index]
    if (!command) return
    const written = `${now.head}${command.name} `
    message.value = written + message.value.slice(message.selectionStart)
    message.setSelectionRange(written.length, written.length)
    close()
    message.focus()
  }

  message.addEventListener('input', () => {
    now = offered(message.value.slice(0, message.selectionStart), commands)
    at = 0
    show()
  })
  message.addEventListener('blur', close)

  return {
    /** @param {readonly Command[]} all */
    knows: (all) => {
      commands = all
    },
    /**
     * Takes the keys of an open list. A name that is written out already is sent, not taken.
     * @param {KeyboardEvent} event
     * @returns {boolean} true: the key was meant for the list
     */
    key: (event) => {
      const { found, head } = now
      if (found.length === 0 || event.isComposing) return false
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (move !== undefined) {
        at = (at + move + found.length) % found.length
        show()
        return true
      }
      if (event.key === 'Escape') {
        close()
        return true
      }
      const whole = message.value === `${head}${found[at]?.name}`
      if (event.key !== 'Tab' && (event.key !== 'Enter' || event.shiftKey || whole)) return false
      take(at)
      return true
    },
  }
}
