// Builds the tree that the libraries process, with limited depth, size and text and without invisible content. Also counts visible
// characters and collects visible links.

import { Parser } from 'htmlparser2'
import {
  HTML_ATTRIBUTE_MAX_CHARS,
  HTML_BLANKS_MAX_CHARS,
  HTML_DEPTH_MAX,
  HTML_ELEMENTS_MAX,
  HTML_JSON_LD_MAX_CHARS,
  HTML_LINKS_SEEN_MAX,
  HTML_PARSER_DEPTH_MAX,
  HTML_PIECE_CHARS,
  HTML_TEXT_MAX_CHARS,
} from './limits.ts'
import type { TimeBudget } from '../common/pace.ts'
import { absoluteAddress, imageAddress, withoutFragment } from './address.ts'
import type { DomDocument, DomElement } from './dom.ts'
import {
  VOID_ELEMENTS,
  PAGE_ELEMENTS,
  NAVIGATION_ELEMENTS,
  HEAD_ELEMENTS,
  PREFORMATTED_ELEMENTS,
  KEPT_ATTRIBUTES,
  PARSED_ONLY_ATTRIBUTES,
  DROPPED_ELEMENTS,
} from './names.ts'
import { visibilityOf } from './visible.ts'

export interface PageTree {
  readonly document: DomDocument
  /** The visible links, in order and without duplicates. */
  readonly links: readonly string[]
  /** The number of visible characters, except for those of navigation. */
  readonly visibleChars: number
  /** Whether the page contains more than was read. */
  readonly cut: boolean
}

interface OpenElement {
  readonly name: string
  /** The parent for its children, or null if they are dropped. */
  readonly node: DomElement | null
  readonly depth: number
  readonly keepsBlanks: boolean
  readonly isFaint: boolean
  readonly isNavigation: boolean
}

/** The open link. It is collected if some of its content is visible. */
interface OpenLink {
  readonly element: OpenElement
  readonly address: string
  isVisible: boolean
}

/** Builds the tree in an empty document, without NAVIGATION_ELEMENTS if `withoutNavigation` is true. Rejects only with OutOfTime. */
export async function pageTree(
  text: string,
  base: string | null,
  withoutNavigation: boolean,
  document: DomDocument,
  pace: TimeBudget,
): Promise<PageTree> {
  const builder = new TreeBuilder(document, base, withoutNavigation)
  let parser = new Parser(builder, { decodeEntities: true })
  for (let start = 0, end = 0; start < text.length && !builder.full; start = end) {
    // Splits the text before a tag, so that the parser can be replaced between two tags.
    const tag = text.lastIndexOf('<', start + HTML_PIECE_CHARS)
    end = tag > start ? tag : start + HTML_PIECE_CHARS
    parser.write(text.slice(start, end))
    await pace.countWork(HTML_PIECE_CHARS)
    // The parser searches all open elements at each end tag.
    if (builder.depth <= HTML_PARSER_DEPTH_MAX) continue
    parser.end()
    parser = new Parser(builder, { decodeEntities: true })
  }
  parser.end()
  return builder.done()
}

class TreeBuilder {
  /** The number of elements that are open in the parser. */
  depth = 0
  full = false
  readonly #document: DomDocument
  readonly #withoutNavigation: boolean
  #base: string | null
  readonly #open: OpenElement[]
  readonly #links = new Set<string>()
  #link: OpenLink | null = null
  /** The name of the element that is still being parsed, or null if there is none. */
  #name: string | null = null
  #attributes = new Map<string, string>()
  #text = ''
  #elements = 0
  #chars = 0
  #visibleChars = 0

  constructor(document: DomDocument, base: string | null, withoutNavigation: boolean) {
    this.#document = document
    this.#base = base
    this.#withoutNavigation = withoutNavigation
    const body = document.body
    this.#open = [{ name: '', node: body, depth: 0, keepsBlanks: false, isFaint: false, isNavigation: false }]
  }

  onopentagname(name: string): void {
    this.#begin()
    this.#write()
    this.#name = name
    this.#attributes = new Map()
    if (!VOID_ELEMENTS.has(name)) this.depth += 1
  }

  onattribute(name: string, value: string): void {
    if ((KEPT_ATTRIBUTES.has(name) || PARSED_ONLY_ATTRIBUTES.has(name)) && !this.#attributes.has(name))
      this.#attributes.set(name, value.slice(0, HTML_ATTRIBUTE_MAX_CHARS))
  }

  ontext(text: string): void {
    this.#begin()
    if (this.#top().node === null || this.full) return
    this.#text += text
    if (this.#text.length > HTML_PIECE_CHARS) this.#write()
  }

  onclosetag(name: string): void {
    this.#begin()
    if (VOID_ELEMENTS.has(name)) return
    this.depth -= 1
    this.#write()
    // The parser closes its elements in order. Elements that were opened by a previous parser are never closed.
    if (this.#open.length < 2 || this.#top().name !== name) return
    if (this.#open.pop() === this.#link?.element) this.#closeLink()
  }

  done(): PageTree {
    this.#begin()
    this.#write()
    this.#closeLink()
    return {
      document: this.#document,
      links: [...this.#links],
      visibleChars: this.#visibleChars,
      cut: this.full,
    }
  }

  #top(): OpenElement {
    const top = this.#open.at(-1)
    if (!top) throw new Error('the body is never closed')
    return top
  }

  /** Adds an element to the tree once all its attributes have been parsed. */
  #begin(): void {
    const name = this.#name
    if (name === null) return
    this.#name = null
    const parent = this.#top()
    const open = this.#openElement(name, parent)
    if (!VOID_ELEMENTS.has(name)) this.#open.push(open)
  }

  #openElement(name: string, parent: OpenElement): OpenElement {
    const attributes = this.#attributes
    const inherited = { ...parent, name }
    const json = name === 'script' && /^application\/ld\+json\b/i.test(attributes.get('type') ?? '')
    if (parent.node === null || this.full) return { ...inherited, node: null }
    if (PAGE_ELEMENTS.has(name)) {
      const lang = attributes.get('lang')
      if (name === 'html' && lang !== undefined)
        this.#document.documentElement.setAttribute('lang', lang.slice(0, 35))
      return visibilityOf(name, attributes) === 'shown' ? inherited : { ...inherited, isFaint: true }
    }
    if (name === 'base') this.#base = absoluteAddress(attributes.get('href') ?? '', this.#base) ?? this.#base
    const state = visibilityOf(name, attributes)
    if ((DROPPED_ELEMENTS.has(name) && !json) || state === 'hidden') {
      // An image of any kind makes a link visible.
      if (name === 'svg' && state === 'shown' && !parent.isFaint && this.#link) this.#link.isVisible = true
      return { ...inherited, node: null }
    }
    const isNavigation =
      parent.isNavigation || NAVIGATION_ELEMENTS.has(name) || attributes.get('role') === 'navigation'
    if (this.#withoutNavigation && isNavigation) return { ...inherited, node: null }
    if (this.#elements >= HTML_ELEMENTS_MAX) {
      this.full = true
      return { ...inherited, node: null }
    }
    const keepsBlanks = parent.keepsBlanks || PREFORMATTED_ELEMENTS.has(name)
    const open = { name, keepsBlanks, isFaint: parent.isFaint || state === 'faint', isNavigation }
    if (parent.depth >= HTML_DEPTH_MAX && !VOID_ELEMENTS.has(name)) return { ...parent, ...open }
    const node = this.#element(name)
    const target = HEAD_ELEMENTS.has(name) || json ? this.#document.head : parent.node
    target.appendChild(node)
    const openElement = { ...open, node, depth: parent.depth + 1 }
    if (name === 'a') this.#openLink(node, openElement)
    return openElement
  }

  #element(name: string): DomElement {
    this.#elements += 1
    const node = this.#document.createElement(/^[a-z][a-z0-9-]*$/.test(name) ? name : 'span')
    for (const [key, value] of this.#attributes) {
      // Addresses are made absolute elsewhere. Readability 0.6 mistakes the class of a formula for that of a menu.
      if (key === 'href' || key === 'src' || (key === 'class' && name.startsWith('mjx-'))) continue
      if (KEPT_ATTRIBUTES.has(key)) node.setAttribute(key, value)
    }
    if (name === 'img') {
      const address = imageAddress(this.#attributes, this.#base)
      if (address !== null) node.setAttribute('src', address)
      if (this.#link && !this.#top().isFaint) this.#link.isVisible = true
    }
    return node
  }

  #closeLink(): void {
    if (this.#link?.isVisible && this.#links.size < HTML_LINKS_SEEN_MAX) this.#links.add(this.#link.address)
    this.#link = null
  }

  #openLink(node: DomElement, open: OpenElement): void {
    const href = this.#attributes.get('href')?.trim()
    if (href === undefined || href.startsWith('#')) return
    const address = absoluteAddress(href, this.#base)
    if (address === null) return
    node.setAttribute('href', address)
    // A link that is not closed ends where the next link begins.
    this.#closeLink()
    this.#link = { element: open, address: withoutFragment(address), isVisible: false }
  }

  #write(): void {
    const unprocessed = this.#text
    this.#text = ''
    const { node, keepsBlanks, isFaint, isNavigation, name } = this.#top()
    if (unprocessed === '' || node === null) return
    const text =
      name === 'script'
        ? unprocessed.slice(0, HTML_JSON_LD_MAX_CHARS)
        : collapseBlanks(unprocessed, keepsBlanks)
    const maxChars = this.#elements > HTML_ELEMENTS_MAX ? 0 : HTML_TEXT_MAX_CHARS - this.#chars
    const content = text.slice(0, maxChars)
    if (content.length < text.length) this.full = true
    this.#chars += content.length
    this.#elements += (1 + (content.match(ENTITIES)?.length ?? 0)) * ELEMENTS_PER_TEXT_NODE
    if (content === '') return
    node.appendChild(this.#document.createTextNode(content))
    if (HEAD_ELEMENTS.has(name) || name === 'script') return
    const visibleChars = content.trim().length
    if (!isNavigation) this.#visibleChars += visibleChars
    if (visibleChars > 0 && !isFaint && this.#link) this.#link.isVisible = true
  }
}

/** The characters that linkedom writes as entities, at which it splits text nodes. */
const ENTITIES = /[&<>\u00a0]/g
/** The memory that a text node uses, as a fraction of that of an element. */
const ELEMENTS_PER_TEXT_NODE = 0.25
const LONG_BLANKS = new RegExp(`(\\s)\\s{${HTML_BLANKS_MAX_CHARS},}`, 'g')

/** Collapses insignificant white space and limits the rest, because some patterns of the libraries take quadratic time on it. */
function collapseBlanks(text: string, keepsBlanks: boolean): string {
  const collapsed = keepsBlanks ? text : text.replace(/[ \t\n\r\f]+/g, ' ')
  return collapsed.replace(LONG_BLANKS, (run) => run.slice(0, HTML_BLANKS_MAX_CHARS))
}
