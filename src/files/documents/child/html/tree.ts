// Builds the tree that the libraries process, with limited depth, size and text and without invisible content. Also counts visible
// characters and collects visible links.

import { Parser } from 'htmlparser2'
import {
  HTML_ATTRIBUTE_MAX_CHARS,
  HTML_BLANKS_MAX,
  HTML_DEPTH_MAX,
  HTML_ELEMENTS_MAX,
  HTML_JSON_LD_MAX_CHARS,
  HTML_LINKS_SEEN_MAX,
  HTML_PARSER_DEPTH_MAX,
  HTML_PIECE_CHARS,
  HTML_TEXT_MAX_CHARS,
} from './limits.ts'
import type { TimeBudget } from '../common/pace.ts'
import { absolute, imageAddress, withoutFragment } from './address.ts'
import type { DomDocument, DomElement } from './dom.ts'
import { EMPTY, FRAME, FURNITURE, HEAD, KEEPS_BLANKS, KEPT, LOOKED_AT, SILENT } from './names.ts'
import { shown } from './visible.ts'

export interface PageTree {
  readonly document: DomDocument
  /** The visible links, in order and without duplicates. */
  readonly links: readonly string[]
  /** The number of visible characters, except for those of navigation. */
  readonly visible: number
  /** Whether the page contains more than was read. */
  readonly cut: boolean
}

interface Open {
  readonly name: string
  /** The parent for its children, or null if they are dropped. */
  readonly node: DomElement | null
  readonly depth: number
  readonly blanks: boolean
  readonly faint: boolean
  readonly furniture: boolean
}

/** The open link. It is collected if some of its content is visible. */
interface Link {
  readonly at: Open
  readonly address: string
  seen: boolean
}

/** Builds the tree in an empty document, without FURNITURE if `bare` is true. Rejects only with OutOfTime. */
export async function pageTree(
  text: string,
  base: string | null,
  bare: boolean,
  document: DomDocument,
  pace: TimeBudget,
): Promise<PageTree> {
  const filler = new Filler(document, base, bare)
  let parser = new Parser(filler, { decodeEntities: true })
  for (let start = 0, end = 0; start < text.length && !filler.full; start = end) {
    // Splits the text before a tag, so that the parser can be replaced between two tags.
    const tag = text.lastIndexOf('<', start + HTML_PIECE_CHARS)
    end = tag > start ? tag : start + HTML_PIECE_CHARS
    parser.write(text.slice(start, end))
    await pace.countWork(HTML_PIECE_CHARS)
    // The parser searches all open elements at each end tag.
    if (filler.depth <= HTML_PARSER_DEPTH_MAX) continue
    parser.end()
    parser = new Parser(filler, { decodeEntities: true })
  }
  parser.end()
  return filler.done()
}

class Filler {
  /** The number of elements that are open in the parser. */
  depth = 0
  full = false
  readonly #document: DomDocument
  readonly #bare: boolean
  #base: string | null
  readonly #open: Open[]
  readonly #links = new Set<string>()
  #link: Link | null = null
  /** The name of the element that is still being parsed, or null if there is none. */
  #name: string | null = null
  #attributes = new Map<string, string>()
  #text = ''
  #elements = 0
  #chars = 0
  #visible = 0

  constructor(document: DomDocument, base: string | null, bare: boolean) {
    this.#document = document
    this.#base = base
    this.#bare = bare
    const body = document.body
    this.#open = [{ name: '', node: body, depth: 0, blanks: false, faint: false, furniture: false }]
  }

  onopentagname(name: string): void {
    this.#begin()
    this.#write()
    this.#name = name
    this.#attributes = new Map()
    if (!EMPTY.has(name)) this.depth += 1
  }

  onattribute(name: string, value: string): void {
    if ((KEPT.has(name) || LOOKED_AT.has(name)) && !this.#attributes.has(name))
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
    if (EMPTY.has(name)) return
    this.depth -= 1
    this.#write()
    // The parser closes its elements in order. Elements that were opened by a previous parser are never closed.
    if (this.#open.length < 2 || this.#top().name !== name) return
    if (this.#open.pop() === this.#link?.at) this.#unlink()
  }

  done(): PageTree {
    this.#begin()
    this.#write()
    this.#unlink()
    return {
      document: this.#document,
      links: [...this.#links],
      visible: this.#visible,
      cut: this.full,
    }
  }

  #top(): Open {
    const top = this.#open.at(-1)
    if (!top) throw new Error('the body is never closed')
    return top
  }

  /** Adds an element to the tree once all its attributes have been parsed. */
  #begin(): void {
    const name = this.#name
    if (name === null) return
    this.#name = null
    const above = this.#top()
    const open = this.#opened(name, above)
    if (!EMPTY.has(name)) this.#open.push(open)
  }

  #opened(name: string, above: Open): Open {
    const attributes = this.#attributes
    const inherited = { ...above, name }
    const json = name === 'script' && /^application\/ld\+json\b/i.test(attributes.get('type') ?? '')
    if (above.node === null || this.full) return { ...inherited, node: null }
    if (FRAME.has(name)) {
      const lang = attributes.get('lang')
      if (name === 'html' && lang !== undefined)
        this.#document.documentElement.setAttribute('lang', lang.slice(0, 35))
      return shown(name, attributes) === 'shown' ? inherited : { ...inherited, faint: true }
    }
    if (name === 'base') this.#base = absolute(attributes.get('href') ?? '', this.#base) ?? this.#base
    const state = shown(name, attributes)
    if ((SILENT.has(name) && !json) || state === 'hidden') {
      // An image of any kind makes a link visible.
      if (name === 'svg' && state === 'shown' && !above.faint && this.#link) this.#link.seen = true
      return { ...inherited, node: null }
    }
    const furniture = above.furniture || FURNITURE.has(name) || attributes.get('role') === 'navigation'
    if (this.#bare && furniture) return { ...inherited, node: null }
    if (this.#elements >= HTML_ELEMENTS_MAX) {
      this.full = true
      return { ...inherited, node: null }
    }
    const blanks = above.blanks || KEEPS_BLANKS.has(name)
    const open = { name, blanks, faint: above.faint || state === 'faint', furniture }
    if (above.depth >= HTML_DEPTH_MAX && !EMPTY.has(name)) return { ...above, ...open }
    const node = this.#element(name)
    const target = HEAD.has(name) || json ? this.#document.head : above.node
    target.appendChild(node)
    const opened = { ...open, node, depth: above.depth + 1 }
    if (name === 'a') this.#linked(node, opened)
    return opened
  }

  #element(name: string): DomElement {
    this.#elements += 1
    const node = this.#document.createElement(/^[a-z][a-z0-9-]*$/.test(name) ? name : 'span')
    for (const [key, value] of this.#attributes) {
      // Addresses are made absolute elsewhere. Readability 0.6 mistakes the class of a formula for that of a menu.
      if (key === 'href' || key === 'src' || (key === 'class' && name.startsWith('mjx-'))) continue
      if (KEPT.has(key)) node.setAttribute(key, value)
    }
    if (name === 'img') {
      const address = imageAddress(this.#attributes, this.#base)
      if (address !== null) node.setAttribute('src', address)
      if (this.#link && !this.#top().faint) this.#link.seen = true
    }
    return node
  }

  #unlink(): void {
    if (this.#link?.seen && this.#links.size < HTML_LINKS_SEEN_MAX) this.#links.add(this.#link.address)
    this.#link = null
  }

  #linked(node: DomElement, open: Open): void {
    const href = this.#attributes.get('href')?.trim()
    if (href === undefined || href.startsWith('#')) return
    const address = absolute(href, this.#base)
    if (address === null) return
    node.setAttribute('href', address)
    // A link ends at the latest where the next one begins.
    this.#unlink()
    this.#link = { at: open, address: withoutFragment(address), seen: false }
  }

  #write(): void {
    const raw = this.#text
    this.#text = ''
    const { node, blanks, faint, furniture, name } = this.#top()
    if (raw === '' || node === null) return
    const text = name === 'script' ? raw.slice(0, HTML_JSON_LD_MAX_CHARS) : tidy(raw, blanks)
    const maxChars = this.#elements > HTML_ELEMENTS_MAX ? 0 : HTML_TEXT_MAX_CHARS - this.#chars
    const content = text.slice(0, maxChars)
    if (content.length < text.length) this.full = true
    this.#chars += content.length
    this.#elements += (1 + (content.match(ENTITIES)?.length ?? 0)) * TEXT_SHARE
    if (content === '') return
    node.appendChild(this.#document.createTextNode(content))
    if (HEAD.has(name) || name === 'script') return
    const visibleChars = content.trim().length
    if (!furniture) this.#visible += visibleChars
    if (visibleChars > 0 && !faint && this.#link) this.#link.seen = true
  }
}

/** The characters that linkedom writes as entities, at which it splits text nodes. */
const ENTITIES = /[&<>\u00a0]/g
/** The memory that a text node uses, as a fraction of that of an element. */
const TEXT_SHARE = 0.25
const RUN = new RegExp(`(\\s)\\s{${HTML_BLANKS_MAX},}`, 'g')

/** Collapses insignificant white space and limits the rest, because some patterns of the libraries take quadratic time on it. */
function tidy(text: string, blanks: boolean): string {
  const plain = blanks ? text : text.replace(/[ \t\n\r\f]+/g, ' ')
  return plain.replace(RUN, (run) => run.slice(0, HTML_BLANKS_MAX))
}
