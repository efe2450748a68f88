// Renders streamed Markdown as lines that never change. Returns each block when it is complete, but the items
// of a list and the lines of code, even in an item, as they complete. Buffers only incomplete text.

import MarkdownIt, { type Token } from 'markdown-it'

import { keepTex } from '../../../src/lib/markdown-math.ts'
import { CHAT_BLOCK_MAX_CHARS } from './limits.ts'
import { harmless } from '../../lib/terminal.ts'
import { renderBlocks } from './blocks.ts'

import type { MarkdownStyle } from './style.ts'

export interface MarkdownPiece {
  readonly lines: readonly string[]
  /** True if this piece continues the previous one, without a blank line between them. */
  readonly isContinuation: boolean
}

export interface MarkdownTarget {
  /** The current width, which changes when the window is resized. */
  width(): number
  readonly style: MarkdownStyle
}

/** Shows HTML tags as text. */
const parser = new MarkdownIt({ html: false })
keepTex(parser, { asText: true })

export class MarkdownStream {
  readonly #target: MarkdownTarget
  #source = ''
  /** The start of the source that was already returned and is kept because the rest continues its list and its code. */
  #returned = ''
  /** Whether a part of the current block was already returned. */
  #isContinuation = false
  /** The number of the current list's next item; null at its start. */
  #nextNumber: number | null = null

  constructor(target: MarkdownTarget) {
    this.#target = target
  }

  /** The pieces that `text` completes, in order. */
  push(text: string): readonly MarkdownPiece[] {
    this.#source += harmless(text)
    // No block is complete before its last line is.
    return text.includes('\n') || this.#source.length > CHAT_BLOCK_MAX_CHARS ? this.#takeCompleteBlocks() : []
  }

  /** Returns the remaining text, complete or not, and resets. */
  end(): readonly MarkdownPiece[] {
    const pieces = this.#render(this.#source)
    this.#drop(this.#source.length)
    this.#reset()
    return pieces
  }

  /** Removes and returns what is complete. */
  #takeCompleteBlocks(): readonly MarkdownPiece[] {
    const completeLines = this.#source.slice(0, this.#source.lastIndexOf('\n') + 1)
    if (this.#source.length - completeLines.length > CHAT_BLOCK_MAX_CHARS) return this.end()
    const lines = completeLines.split('\n')
    const tokens = parser.parse(completeLines, {})
    const lastBlock = tokens.findLast(
      (token) => token.level === 0 && token.map !== null && token.nesting >= 0,
    )
    if (!lastBlock?.map) return []
    const [start] = lastBlock.map
    const pieces: MarkdownPiece[] = []
    if (isComplete(lastBlock, completeLines)) {
      pieces.push(...this.#render(completeLines))
      this.#drop(completeLines.length)
      this.#reset()
      return pieces
    }
    if (start > 0) {
      const before = `${lines.slice(0, start).join('\n')}\n`
      pieces.push(...this.#render(before))
      this.#drop(before.length)
      this.#reset()
    }
    if (lastBlock.type === 'fence') pieces.push(...this.#takeCodeLines(lines.slice(start, lines.length - 1)))
    else {
      if (lastBlock.type.endsWith('_list_open')) {
        pieces.push(...this.#takeItems(tokens, start, lines))
        if (isOpenFence(tokens.findLast(({ nesting }) => nesting >= 0))) pieces.push(...this.#takeItemCode())
      }
      if (this.#source.length > CHAT_BLOCK_MAX_CHARS) pieces.push(...this.end())
    }
    return pieces
  }

  /** Takes the complete lines of an unfinished code block. Its opening fence stays in the source. */
  #takeCodeLines(block: readonly string[]): readonly MarkdownPiece[] {
    const [openingFence = '', ...code] = block
    if (code.length === 0) return []
    const pieces = this.#render(`${block.join('\n')}\n`)
    this.#source = `${openingFence}\n${this.#source.slice(block.join('\n').length + 1)}`
    this.#isContinuation = true
    return pieces
  }

  /** Takes the complete lines of unfinished code in the last item. The item stays in the source up to the first of them. */
  #takeItemCode(): readonly MarkdownPiece[] {
    const complete = this.#source.slice(0, this.#source.lastIndexOf('\n') + 1)
    const fence = parser.parse(complete, {}).findLast(({ type }) => type === 'fence')
    if (!fence?.map || fence.content === '') return []
    const pieces = this.#render(complete)
    const kept = `${complete
      .split('\n')
      .slice(0, fence.map[0] + 2)
      .join('\n')}\n`
    this.#source = kept + this.#source.slice(complete.length)
    this.#returned = kept
    this.#isContinuation = true
    return pieces
  }

  /** Takes all items but the last of an unfinished list, which begins at line `listStart`. */
  #takeItems(
    tokens: readonly Token[],
    listStart: number,
    lines: readonly string[],
  ): readonly MarkdownPiece[] {
    const list = tokens.findLast((token) => token.level === 0 && token.type.endsWith('_list_open'))
    const items = tokens.filter(
      (token) => token.type === 'list_item_open' && token.level === 1 && (token.map?.[0] ?? -1) >= listStart,
    )
    const lastItemStart = items.at(-1)?.map?.[0] ?? listStart
    if (lastItemStart <= listStart) return []
    const before = `${lines.slice(listStart, lastItemStart).join('\n')}\n`
    const pieces = this.#render(before)
    this.#drop(before.length)
    this.#isContinuation = true
    // Counts items instead of reading their numbers, because some authors write 1 for every item.
    this.#nextNumber = (this.#nextNumber ?? Number(list?.attrGet('start') ?? 1)) + items.length - 1
    return pieces
  }

  /** Drops the first `chars` characters of the source. */
  #drop(chars: number): void {
    this.#source = this.#source.slice(chars)
    this.#returned = ''
  }

  #reset(): void {
    this.#isContinuation = false
    this.#nextNumber = null
  }

  /** Renders the start of the source, without what was already returned. */
  #render(source: string): readonly MarkdownPiece[] {
    const options = { width: this.#target.width(), style: this.#target.style, listStart: this.#nextNumber }
    const blocksOf = (text: string) => renderBlocks(parser.parse(text, {}), options)
    const returnedCount = this.#returned === '' ? 0 : (blocksOf(this.#returned)[0]?.length ?? 0)
    return blocksOf(source)
      .map((lines, index) => ({
        lines: index === 0 ? lines.slice(returnedCount) : lines,
        isContinuation: index === 0 && this.#isContinuation,
      }))
      .filter(({ lines }) => lines.length > 0)
  }
}

/** Whether no further line can change this block, the last one of `source`. */
function isComplete(block: Token, source: string): boolean {
  const endsWithBlankLine = /\n[ \t]*\n$/.test(source)
  if (block.type === 'fence') return !isOpenFence(block)
  if (block.type === 'heading_open' || block.type === 'hr') return true
  return endsWithBlankLine && /^(?:paragraph|table|blockquote)_open$/.test(block.type)
}

function isOpenFence(token: Token | undefined): boolean {
  if (token?.type !== 'fence') return false
  // A closed fence has two lines more than its content.
  const [start = 0, end = 0] = token.map ?? []
  return token.content.split('\n').length - 1 !== end - start - 2
}
