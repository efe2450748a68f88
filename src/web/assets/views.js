// How a run looks: its journey from the index over skills and files to the answer. Shows state, decides nothing.

import { createApproval } from './approvals.js'
import { createArtifacts } from './artifacts.js'
import { h, showMarkdown } from './dom.js'
import { pathsOf } from './files.js'
import { field } from './run-items.js'
import { digest, duration, ending, label } from './receipt.js'
import { hasEnded } from './run-state.js'

/** @typedef {import('./run-state.js').RunState} RunState */
/** @typedef {import('./run-items.js').Item} Item */

/** Tools whose calls are told by the files that they name. */
const FILE_TOOLS = new Map([
  ['read_file', { done: 'File read', failed: 'File not read' }],
  ['view_image', { done: 'Picture looked at', failed: 'Picture not looked at' }],
  ['write_file', { done: 'File written', failed: 'File not written' }],
  ['str_replace', { done: 'File changed', failed: 'File not changed' }],
  ['present_files', { done: 'Files presented', failed: 'Files not presented' }],
  ['ls', { done: 'Folder listed', failed: 'Folder not listed' }],
  ['glob', { done: 'Files looked for', failed: 'Search failed' }],
  ['grep', { done: 'Files searched', failed: 'Search failed' }],
])

/**
 * @typedef {object} RunView
 * @property {HTMLElement} element
 * @property {(state: RunState, skillCount: number | null) => void} update
 */

/**
 * @param {boolean} live the reader watches it happen: its receipt opens by itself
 * @param {import('./api.js').Call} call for the bytes of its files
 * @returns {RunView}
 */
export function createRunView(live, call) {
  const index = node('index', 'Index')
  const journey = h('ol', { class: 'journey' }, index.element)
  const end = h('div', { class: 'end' })
  const artifacts = createArtifacts(call)
  const element = h('div', { class: 'run' }, journey, artifacts.element, end)
  /** @type {Map<string, { kind: string, element: HTMLElement, show: (item: Item) => void }>} */
  const nodes = new Map()
  /** @type {readonly Item[]} */
  let drawn = []
  let closed = false

  return {
    element,
    update(state, skillCount) {
      const ended = hasEnded(state)
      // One that waits for a person does nothing.
      const works = !ended && state.status !== 'waiting'
      element.setAttribute('aria-busy', `${works}`)
      element.classList.toggle('running', works)
      index.body.replaceChildren(...indexLine(state, skillCount))
      for (const [n, item] of state.items.entries()) {
        let view = nodes.get(item.key)
        if (view?.kind !== item.kind) {
          view?.element.remove()
          view = { kind: item.kind, ...itemView(item, call) }
          nodes.set(item.key, view)
        }
        if (drawn[n] !== item) view.show(item)
        const place = journey.children[n + 1]
        if (place !== view.element) journey.insertBefore(view.element, place ?? null)
      }
      while (journey.children.length > state.items.length + 1) journey.lastElementChild?.remove()
      drawn = state.items
      artifacts.show(state.artifacts)
      if (!ended || closed) return
      closed = true
      end.append(...ending(state, live))
    },
  }
}

/**
 * @param {RunState} state
 * @param {number | null} skillCount
 */
function indexLine({ started, status }, skillCount) {
  if (!started) return [status === 'queued' ? 'Waiting for its turn…' : 'Starting…']
  const skills = skillCount === null ? '' : `${skillCount} ${skillCount === 1 ? 'skill' : 'skills'} · `
  return [
    `${skills}catalog version ${started.catalogVersion} · ${started.model}`,
    started.demo ? ' ' : null,
    started.demo ? h('span', { class: 'badge demo' }, 'demo model') : null,
  ].filter((part) => part !== null)
}

/**
 * @param {string} kind
 * @param {string} label
 */
function node(kind, label) {
  const name = h('span', { class: 'label' }, label)
  const body = h('div', { class: 'body' })
  return { element: h('li', { class: `node ${kind}` }, name, body), name, body }
}

/**
 * @param {Item} first
 * @param {import('./api.js').Call} call
 * @returns {{ element: HTMLElement, show: (item: Item) => void }}
 */
function itemView(first, call) {
  if (first.kind === 'approval') return createApproval(call)
  if (first.kind === 'text') {
    const body = h('div', { class: 'answer', 'aria-live': 'polite' })
    return {
      element: h('li', { class: 'said' }, body),
      show: (item) => {
        if (item.kind !== 'text') return
        // A reader of the screen hears the text once it is whole, not letter by letter.
        body.setAttribute('aria-busy', `${!item.done}`)
        showMarkdown(body, item.text)
      },
    }
  }
  if (first.kind === 'thinking') {
    const text = h('div', { class: 'thought' })
    const details = h('details', {}, h('summary', {}, 'Thinking'), text)
    return {
      element: h('li', { class: 'node thinking' }, details),
      show: (item) => {
        if (item.kind === 'thinking') text.textContent = item.text
      },
    }
  }
  const view = node(first.kind, '')
  return {
    element: view.element,
    show: (item) => {
      const { kind, label, parts } = described(item)
      view.element.className = `node ${kind}`
      view.name.textContent = label
      view.body.replaceChildren(...parts)
    },
  }
}

/**
 * @param {Item} item
 * @returns {{ kind: string, label: string, parts: (Node | string)[] }}
 */
function described(item) {
  if (item.kind === 'skill')
    return { kind: 'skill done', label: 'Skill loaded', parts: skillParts(item.skill) }
  if (item.kind === 'note') return { kind: 'note', label: 'Note', parts: [item.text] }
  if (item.kind !== 'tool') return { kind: '', label: '', parts: [] }
  const time = item.ms === null ? [] : [h('span', { class: 'muted' }, ` ${duration(item.ms)}`)]
  const preview = item.preview ? [previewOf(item.preview, item.state === 'failed')] : []
  const rest = item.state === 'stopped' ? [...time, ' stopped'] : [...time, ...preview]
  if (item.name === 'load_skill') {
    const name = field(item.input, 'name') ?? ''
    if (item.skill)
      return { kind: `skill ${item.state}`, label: 'Skill loaded', parts: skillParts(item.skill) }
    return {
      kind: `skill ${item.state}`,
      label: item.state === 'failed' ? 'Skill not loaded' : 'Skill',
      parts: [name, ...rest],
    }
  }
  if (item.name === 'ask_clarification' && item.state !== 'failed')
    return { kind: `question ${item.state}`, label: 'Question', parts: questionParts(item.input) }
  const words = FILE_TOOLS.get(item.name)
  const named = words ? argumentsOf(item.input) : []
  if (words && named.length > 0) {
    const label = item.state === 'failed' ? words.failed : words.done
    return { kind: `file ${item.state}`, label, parts: [...named, ...rest] }
  }
  const input = item.input === null || item.input === undefined ? '' : JSON.stringify(item.input)
  return {
    kind: `tool ${item.state}`,
    label: item.name,
    parts: [h('code', {}, input.slice(0, 300)), ...rest],
  }
}

/**
 * What a call on files is about, without what it writes: the paths, and what is looked for in them.
 * @param {unknown} input
 * @returns {(Node | string)[]}
 */
function argumentsOf(input) {
  const pattern = field(input, 'pattern')
  const paths = pathsOf(input).map((path) => path.replace(/^\/mnt\/(?:skills|user-data)\//, ''))
  const shown = [...(pattern === null ? [] : [pattern]), ...paths]
  return shown.flatMap((text, at) => [at === 0 ? '' : ' ', h('code', {}, text.slice(0, 300))])
}

/**
 * @param {string} text
 * @param {boolean} open
 */
function previewOf(text, open) {
  const details = h(
    'details',
    { class: 'preview' },
    h('summary', {}, open ? 'Why' : 'Show'),
    h('pre', { tabindex: '0' }, text.slice(0, 2_000)),
  )
  details.toggleAttribute('open', open)
  return details
}

/**
 * What the person is asked; a click on a choice writes it into the message.
 * @param {unknown} input
 */
function questionParts(input) {
  const context = field(input, 'context')
  const given = typeof input === 'object' && input !== null ? Reflect.get(input, 'options') : null
  const options = Array.isArray(given) ? given.filter((option) => typeof option === 'string') : []
  const choices = options.map((option) =>
    h('button', { type: 'button', class: 'choice', dir: 'auto', 'data-answer': option }, option),
  )
  return [
    h('p', { dir: 'auto' }, field(input, 'question') ?? ''),
    ...(context ? [h('p', { class: 'muted', dir: 'auto' }, context)] : []),
    ...(choices.length > 0
      ? [h('div', { class: 'choices', role: 'group', 'aria-label': 'Choices' }, ...choices)]
      : []),
  ]
}

/** @param {{ name: string, category: string, digest: string }} skill */
function skillParts(skill) {
  return [h('strong', {}, skill.name), ' ', label(skill.category), ' ', digest(skill.digest)]
}
