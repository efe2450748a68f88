// Converts a tree to Markdown, block by block, so that other requests can run between blocks and the length stays limited.

import { HTML_GROUP_NODES_MAX, HTML_LINE_MAX_CHARS } from './limits.ts'
import type { Lines } from '../common/markdown.ts'
import type { TimeBudget } from '../common/pace.ts'
import type { HtmlBlocks } from './blocks.ts'
import { childrenOf, elementsOf, isElement, type DomDocument, type DomElement, type DomNode } from './dom.ts'
import { INLINE_ELEMENTS, SINGLE_PIECE_BLOCKS } from './names.ts'
import { isDataTable, tableLines } from './table.ts'

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol'])
const TABLE: ReadonlySet<string> = new Set(['table'])
const LONG_LISTS: ReadonlySet<string> = new Set(['li', 'ul', 'ol'])

/** Converts a page into `lines`. Rejects with OutOfTime at the deadline; `lines` then contains the text read so far. */
export class PageText {
  readonly #document: DomDocument
  readonly #blocks: HtmlBlocks
  readonly #lines: Lines
  readonly #pace: TimeBudget

  constructor(document: DomDocument, blocks: HtmlBlocks, lines: Lines, pace: TimeBudget) {
    this.#document = document
    this.#blocks = blocks
    this.#lines = lines
    this.#pace = pace
  }

  async walk(container: DomElement): Promise<void> {
    let run: DomNode[] = []
    const flush = async (): Promise<void> => {
      const nodes = run
      run = []
      await this.#run(nodes)
    }
    for (const child of childrenOf(container)) {
      if (this.#lines.full) return
      if (!isElement(child)) {
        if (child.nodeType === 3) run.push(child)
      } else if (INLINE_ELEMENTS.has(child.localName) && !this.#containsBlocks(child)) run.push(child)
      else {
        await flush()
        await this.#block(child)
      }
      if (run.length >= HTML_GROUP_NODES_MAX) await flush()
    }
    await flush()
  }

  /** Whether an inline element contains blocks. Links are excluded, because some pages put paragraphs into them. */
  #containsBlocks(inline: DomElement): boolean {
    return (
      inline.localName !== 'a' &&
      childrenOf(inline).some((child) => isElement(child) && !INLINE_ELEMENTS.has(child.localName))
    )
  }

  async #block(block: DomElement): Promise<void> {
    const { localName: name } = block
    if (LISTS.has(name)) return this.#list(block)
    if (name === 'table') return isDataTable(block) ? this.#table(block) : this.walk(block)
    if (
      SINGLE_PIECE_BLOCKS.has(name) &&
      childrenOf(block).length <= HTML_GROUP_NODES_MAX &&
      !(name !== 'pre' && this.#isLarge(block))
    )
      return this.#add(block)
    if (name === 'pre') return this.#add(block)
    return this.walk(block)
  }

  /** Whether a block is too large to be converted in one piece, which takes time quadratic in its content. */
  #isLarge(block: DomElement): boolean {
    if (elementsOf(block, TABLE).length > 0) return true
    return elementsOf(block, LONG_LISTS).length > HTML_GROUP_NODES_MAX
  }

  /** Converts adjacent inline nodes to one paragraph. */
  async #run(nodes: readonly DomNode[]): Promise<void> {
    if (nodes.every((node) => (node.textContent ?? '').trim() === '' && !isElement(node))) return
    const paragraph = this.#document.createElement('p')
    for (const node of nodes) paragraph.appendChild(node)
    await this.#add(paragraph)
  }

  /** Converts a list. A long list is converted in pieces, each of which continues the numbering. */
  async #list(list: DomElement): Promise<void> {
    const items = childrenOf(list)
    if (
      items.length <= HTML_GROUP_NODES_MAX &&
      elementsOf(list, LONG_LISTS).length <= HTML_GROUP_NODES_MAX &&
      elementsOf(list, TABLE).length === 0
    )
      return this.#add(list)
    let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1
    for (let start = 0; start < items.length && !this.#lines.full; start += HTML_GROUP_NODES_MAX) {
      const part = this.#document.createElement(list.localName)
      part.setAttribute('start', String(number))
      for (const item of items.slice(start, start + HTML_GROUP_NODES_MAX)) {
        if (isElement(item)) number += 1
        if (isElement(item) && this.#isLarge(item)) await this.walk(item)
        else part.appendChild(item)
      }
      await this.#add(part)
    }
  }

  async #table(table: DomElement): Promise<void> {
    this.#lines.gap()
    for (const line of tableLines(table, (cell) => this.#blocks.markdown(cell))) {
      if (!this.#lines.add(line)) return
      await this.#pace.countWork(line.length + 500)
    }
  }

  async #add(block: DomElement): Promise<void> {
    // Turndown converts only the content of an element, so the block needs a wrapper.
    const wrapper = this.#document.createElement('div')
    wrapper.appendChild(block)
    const text = this.#blocks.markdown(wrapper)
    await this.#pace.countWork(text.length + 500)
    if (text === '') return
    this.#lines.gap()
    for (const line of text.split('\n'))
      for (const part of splitLine(line)) if (!this.#lines.add(part)) return
  }
}

/** Splits a line that is too long, at spaces if possible. */
function* splitLine(line: string): Generator<string> {
  let start = 0
  while (line.length - start > HTML_LINE_MAX_CHARS) {
    const space = line.lastIndexOf(' ', start + HTML_LINE_MAX_CHARS)
    const end = space > start ? space : start + HTML_LINE_MAX_CHARS
    yield line.slice(start, end)
    start = space > start ? end + 1 : end
  }
  yield line.slice(start)
}
