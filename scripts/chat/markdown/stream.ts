// Streams Markdown as lines that never change: returns a block when it is complete, of a long list each item and of
// code each line. Buffers only incomplete text.

import MarkdownIt, { type Token } from 'markdown-it'

import { keepTex } from '../../../src/lib/markdown-math.ts'
import { CHAT_BLOCK_MAX_CHARS } from './limits.ts'
import { harmless } from '../../lib/terminal.ts'
import { blockLines } from './blocks.ts'

import type { Look } from './look.ts'

/** `joined`: continues the previous piece, without a blank line. */
export interface MarkdownPiece {
  readonly lines: readonly string[]
  readonly joined: boolean
}

export interface Paper {
  /** The current width: windows are resized. */
  width(): number
  readonly look: Look
}

/** HTML tags stay text; addresses are only shown. */
const parser = new MarkdownIt({ html: false })
keepTex(parser)

export class MarkdownStream {
  readonly #paper: Paper
  #source = ''
  /** For the current block: whether a part was returned already, and the number of its next item. */
  #joined = false
  #number: number | null = null

  constructor(paper: Paper) {
    this.#paper = paper
  }

  /** The pieces that `text` completes, in order. */
  push(text: string): readonly MarkdownPiece[] {
    this.#source += harmless(text)
    // Nothing is complete before its line is.
    return text.includes('\n') || this.#source.length > CHAT_BLOCK_MAX_CHARS ? this.#ready() : []
  }

  /** Returns the rest, complete or not, and resets. */
  end(): readonly MarkdownPiece[] {
    const pieces = this.#render(this.#source)
    this.#source = ''
    this.#reset()
    return pieces
  }

  #ready(): readonly MarkdownPiece[] {
    const whole = this.#source.slice(0, this.#source.lastIndexOf('\n') + 1)
    if (this.#source.length - whole.length > CHAT_BLOCK_MAX_CHARS) return this.end()
    const lines = whole.split('\n')
    const tokens = parser.parse(whole, {})
    const last = tokens.findLast((token) => token.level === 0 && token.map !== null && token.nesting >= 0)
    if (!last?.map) return []
    const [from] = last.map
    const pieces: MarkdownPiece[] = []
    if (isOver(last, whole)) {
      pieces.push(...this.#render(whole))
      this.#take(whole.length)
      this.#reset()
      return pieces
    }
    if (from > 0) {
      const before = `${lines.slice(0, from).join('\n')}\n`
      pieces.push(...this.#render(before))
      this.#take(before.length)
      this.#reset()
    }
    const rest = lines.slice(from, lines.length - 1)
    if (last.type === 'fence') pieces.push(...this.#code(rest))
    else if (last.type.endsWith('_list_open')) pieces.push(...this.#items(tokens, from, lines))
    else if (this.#source.length > CHAT_BLOCK_MAX_CHARS) pieces.push(...this.end())
    return pieces
  }

  /** For unfinished code, the complete lines; its opening stays. */
  #code(rest: readonly string[]): readonly MarkdownPiece[] {
    const [opening = '', ...code] = rest
    if (code.length === 0) return []
    const pieces = this.#render(`${rest.join('\n')}\n`)
    this.#source = `${opening}\n${this.#source.slice(rest.join('\n').length + 1)}`
    this.#joined = true
    return pieces
  }

  /** For an unfinished list, all items but the last. */
  #items(tokens: readonly Token[], from: number, lines: readonly string[]): readonly MarkdownPiece[] {
    const list = tokens.findLast((token) => token.level === 0 && token.type.endsWith('_list_open'))
    const items = tokens.filter(
      (token) => token.type === 'list_item_open' && token.level === 1 && (token.map?.[0] ?? -1) >= from,
    )
    const start = items.at(-1)?.map?.[0] ?? from
    if (start <= from) return []
    const before = `${lines.slice(from, start).join('\n')}\n`
    const pieces = this.#render(before)
    this.#take(before.length)
    this.#joined = true
    // Authors number each item, or write 1 for each.
    this.#number = (this.#number ?? Number(list?.attrGet('start') ?? 1)) + items.length - 1
    return pieces
  }

  #take(chars: number): void {
    this.#source = this.#source.slice(chars)
  }

  #reset(): void {
    this.#joined = false
    this.#number = null
  }

  #render(source: string): readonly MarkdownPiece[] {
    const manner = { width: this.#paper.width(), look: this.#paper.look, first: this.#number }
    return blockLines(parser.parse(source, {}), manner)
      .map((lines, at) => ({ lines, joined: at === 0 && this.#joined }))
      .filter(({ lines }) => lines.length > 0)
  }
}

/** Whether no further line can change this block, the last one of `source`. */
function isOver(block: Token, source: string): boolean {
  const isBlank = /\n[ \t]*\n$/.test(source)
  if (block.type === 'fence') {
    const [from = 0, to = 0] = block.map ?? []
    return block.content.split('\n').length - 1 === to - from - 2
  }
  if (block.type === 'heading_open' || block.type === 'hr') return true
  return isBlank && /^(?:paragraph|table|blockquote)_open$/.test(block.type)
}
