// Elements made by hand: text only ever becomes text nodes, so that nothing a model or a skill says can be markup.

import { parseMarkdown, parseSpans } from './markdown.js'

/** @typedef {Node | string | null} Child */

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...Child} children null is left out
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== null))
  return element
}

/**
 * The element with this id, which index.html promises.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} with the id ${id}`)
  return element
}

/** @type {WeakMap<Element, readonly string[]>} */
const shown = new WeakMap()

/**
 * Shows Markdown in `into`; blocks that did not change keep their nodes, so a growing answer is not read out again
 * and a selection in it survives.
 * @param {HTMLElement} into
 * @param {string} text
 */
export function showMarkdown(into, text) {
  const blocks = parseMarkdown(text)
  const marks = blocks.map((block) => `${block.kind} ${block.source}`)
  const old = shown.get(into) ?? []
  let same = 0
  while (same < marks.length && marks[same] === old[same]) same++
  while (into.childNodes.length > same) into.lastChild?.remove()
  into.append(...blocks.slice(same).map(blockNode))
  shown.set(into, marks)
}

/** @param {import('./markdown.js').MarkBlock} block */
function blockNode(block) {
  switch (block.kind) {
    case 'heading':
      // The page's own headings are h1 and h2: what the model writes stays below them.
      return h(`h${Math.min(6, block.level + 2)}`, { dir: 'auto' }, ...spans(block.source))
    case 'code':
      return h('pre', { tabindex: '0' }, h('code', {}, block.source))
    case 'quote':
      return h('blockquote', { dir: 'auto' }, ...spans(block.source))
    case 'rule':
      return h('hr')
    case 'list':
      return listNode(block.items)
    case 'paragraph':
      return h('p', { dir: 'auto' }, ...spans(block.source))
  }
}

/** @param {readonly import('./markdown.js').ListItem[]} items */
function listNode(items) {
  const root = h('div', { class: 'lists' })
  /** @type {{ indent: number, ordered: boolean, list: HTMLElement }[]} */
  const open = []
  for (const { indent, start, text } of items) {
    const ordered = start !== null
    while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) open.pop()
    let top = open.at(-1)
    const deeper = top !== undefined && indent > top.indent + 1
    if (!top || deeper || top.ordered !== ordered) {
      if (!deeper) open.pop()
      const list = ordered ? h('ol', { start: `${start}` }) : h('ul')
      const parent = open.at(-1)?.list.lastElementChild ?? root
      parent.append(list)
      top = { indent, ordered, list }
      open.push(top)
    }
    top.list.append(h('li', { dir: 'auto' }, ...spans(text)))
  }
  return root
}

/**
 * @param {string} text
 * @returns {Child[]}
 */
function spans(text) {
  return parseSpans(text).map((span) => {
    if (span.kind === 'text') return span.text
    if (span.kind === 'link') {
      const href = span.href ?? ''
      return h('a', { href, title: href, target: '_blank', rel: 'noopener noreferrer' }, span.text)
    }
    return h(span.kind, {}, ...(span.kind === 'code' ? [span.text] : spans(span.text)))
  })
}
