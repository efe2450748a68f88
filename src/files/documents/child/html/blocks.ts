// Converts blocks to Markdown one at a time, with Turndown and with separate rules for code, tables, links and images.

import { HTML_BLOCK_STEPS_MAX } from './limits.ts'
import { OutOfTime } from '../common/pace.ts'
import { childrenOf, isElement, type DomElement, type DomNode } from './dom.ts'
import { Turndown } from './libraries.ts'
import { withinSteps } from './steps.ts'
import { isDataTable, tableLines } from './table.ts'

interface Rule {
  readonly filter: string | readonly string[]
  readonly replacement: (content: string, node: DomElement) => string
}

/** Converts the blocks of one page. `deadline` is a time on the clock of `performance.now()`. */
export class HtmlBlocks {
  /** The number of blocks that took too long and were returned as plain text. */
  plainBlocks = 0
  readonly #deadline: number
  readonly #turndown: Turndown

  constructor(deadline: number) {
    this.#deadline = deadline
    this.#turndown = new Turndown({
      headingStyle: 'atx',
      hr: '---',
      bulletListMarker: '-',
      codeBlockStyle: 'fenced',
      emDelimiter: '*',
      br: '',
    })
    this.#turndown.escape = escape
    for (const [name, rule] of Object.entries(this.#rules())) this.#turndown.addRule(name, rule as never) // Turndown's types expect a browser's DOM
    this.#turndown.remove(['title', 'input', 'button', 'select', 'textarea', 'option'] as never)
  }

  /** The content of `block` as Markdown, or as plain text if the conversion takes too long. Throws only because of bugs. */
  markdown(block: DomNode): string {
    try {
      return withinSteps(HTML_BLOCK_STEPS_MAX, this.#deadline, () =>
        this.#turndown.turndown(block as never),
      ).trim() // linkedom's types, too
    } catch (error) {
      if (!(error instanceof OutOfTime || error instanceof RangeError)) throw error
      this.plainBlocks += 1
      return (block.textContent ?? '').trim()
    }
  }

  #rules(): Readonly<Record<string, Rule>> {
    return {
      item: { filter: 'li', replacement: item },
      code: { filter: 'code', replacement: (_, node) => inlineCode(node.textContent ?? '') },
      pre: { filter: 'pre', replacement: (_, node) => fenced(node) },
      link: { filter: 'a', replacement: link },
      image: { filter: 'img', replacement: (_, node) => image(node) },
      struck: {
        filter: ['del', 's', 'strike'],
        replacement: (content) => (content.trim() ? `~~${content.trim()}~~` : ''),
      },
      table: {
        filter: 'table',
        replacement: (content, node) =>
          isDataTable(node)
            ? `\n\n${[...tableLines(node, (cell) => this.#cell(cell))].join('\n')}\n\n`
            : `\n\n${content}\n\n`,
      },
    }
  }

  #cell(cell: DomElement): string {
    return this.#turndown.turndown(cell as never).trim() // as above
  }
}

/** Escapes only text that would start a block, because many backslashes disturb readers more than unintended emphasis. */
function escape(text: string): string {
  return text
    .replace(/^(\s*)(#{1,6}|[-+*>]|=+|~~~)(?=\s|$)/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, '$1\\$2')
    .replace(/^(\s*)```/, '$1\\```')
}

/** Converts a list item without padding its text, because spaces cost tokens. */
function item(content: string, node: DomElement): string {
  const parent = node.parentNode
  const marker = parent?.nodeName === 'OL' ? `${numberOf(node, parent)}. ` : '- '
  const indented = content.trim().replace(/\n/g, `\n${' '.repeat(marker.length)}`)
  return `${marker}${indented.replace(/^ +$/gm, '')}${node.nextSibling ? '\n' : ''}`
}

function numberOf(node: DomElement, list: DomElement): number {
  const position = childrenOf(list).filter(isElement).indexOf(node)
  return (Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1) + Math.max(0, position)
}

function inlineCode(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim()
  if (code === '') return ''
  const fence = fenceFor(code, 1)
  const padding = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${fence}${padding}${code}${padding}${fence}`
}

const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?)[-:\s]\s?([a-z0-9+#.-]{1,20})/i

/** A fence of at least `minLength` backticks that is longer than every run of backticks in the code. */
function fenceFor(code: string, minLength: number): string {
  let longest = minLength - 1
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

function fenced(pre: DomElement): string {
  const code = (pre.textContent ?? '').replace(/\r\n?/g, '\n').replace(/^\n|\s+$/g, '')
  if (code.trim() === '') return ''
  const fence = fenceFor(code, 3)
  return `\n\n${fence}${languageOf(pre)}\n${code}\n${fence}\n\n`
}

function languageOf(pre: DomElement): string {
  const inner = pre.firstChild?.nodeName === 'CODE' ? (pre.firstChild as DomElement) : null // an element, by its node name
  for (const node of inner ? [inner, pre] : [pre]) {
    const declared = node.getAttribute('data-language') ?? node.getAttribute('data-lang')
    const language = declared ?? LANGUAGE.exec(node.getAttribute('class') ?? '')?.[1]
    if (language !== undefined && /^[\w+#.-]{1,20}$/.test(language)) return language.toLowerCase()
  }
  return ''
}

/** Converts a link, with its text on one line, because Markdown does not allow links over several lines. */
function link(content: string, node: DomElement): string {
  const text = content.replace(/\s*\n\s*/g, ' ').trim()
  const href = node.getAttribute('href')
  if (href === null || text === '') return content
  return `[${text}](${target(href)})`
}

function image(node: DomElement): string {
  const src = node.getAttribute('src')
  const alt = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim()
  // Tracking images are at most one pixel wide or high.
  const isTracker = ['width', 'height'].some((side) => /^[01](px)?$/.test(node.getAttribute(side) ?? ''))
  if (src === null || isTracker) return alt
  return `![${alt}](${target(src)})`
}

/** The target of a link, without escapes, so that it can be copied. */
function target(href: string): string {
  return /[()\s]/.test(href) ? `<${href.replaceAll('>', '%3E')}>` : href
}
