// Renders parsed Markdown as lines, wrapped to the terminal's width. Pure; stream.ts decides which blocks are
// complete.

import { harmless } from '../../lib/terminal.ts'
import { wrapped } from '../../lib/wrap.ts'
import { renderInline } from './inline.ts'
import { renderTable, type MarkdownTable } from './table.ts'

import type { Token } from 'markdown-it'
import type { MarkdownStyle } from './style.ts'

/** Minimum width of deeply nested blocks; in a narrow window they extend past its edge. */
const BLOCK_MIN_WIDTH = 12
const CODE_INDENT = '    '
const BULLETS = ['•', '◦', '▪']

export interface BlockOptions {
  readonly width: number
  readonly style: MarkdownStyle
  /** The number with which the first block, a list, continues; null to number it as the text does. */
  readonly listStart: number | null
}

type Lines = readonly string[]

interface Block {
  readonly isList: boolean
  readonly lines: Lines
}

/** The lines of each top-level block; an empty block has no lines. */
export function renderBlocks(
  tokens: readonly Token[],
  { width, style, listStart }: BlockOptions,
): readonly Lines[] {
  const blocks = new BlockRenderer(tokens, style, listStart).renderUntil(null, width)
  return blocks.map(({ lines }) => lines)
}

class BlockRenderer {
  readonly #tokens: readonly Token[]
  readonly #style: MarkdownStyle
  #listStart: number | null
  #index = 0
  #depth = 0

  constructor(tokens: readonly Token[], style: MarkdownStyle, listStart: number | null) {
    this.#tokens = tokens
    this.#style = style
    this.#listStart = listStart
  }

  /** Renders the blocks up to the token of type `closing`, or to the end if it is null. */
  renderUntil(closingType: string | null, width: number): readonly Block[] {
    const blocks: Block[] = []
    for (let token = this.#next(); token && token.type !== closingType; token = this.#next()) {
      const lines = this.#renderBlock(token, Math.max(BLOCK_MIN_WIDTH, width))
      blocks.push({ isList: token.type.endsWith('_list_open'), lines })
    }
    return blocks
  }

  #next(): Token | undefined {
    return this.#tokens[this.#index++]
  }

  #renderBlock(token: Token, width: number): Lines {
    const style = this.#style
    switch (token.type) {
      case 'heading_open':
        return wrapped(style.heading(this.#renderInline('heading_close'), Number(token.tag.slice(1))), width)
      case 'paragraph_open':
        return wrapped(this.#renderInline('paragraph_close'), width)
      case 'fence':
      case 'code_block':
        return codeLines(token.content, style)
      case 'bullet_list_open':
        return this.#renderList('bullet_list_close', null, width)
      case 'ordered_list_open':
        return this.#renderList('ordered_list_close', Number(token.attrGet('start') ?? 1), width)
      case 'blockquote_open':
        return joinBlocks(this.renderUntil('blockquote_close', width - 2)).map((line) =>
          `${style.muted('│')} ${line}`.trimEnd(),
        )
      case 'hr':
        return [style.muted('─'.repeat(Math.min(width, 24)))]
      case 'table_open':
        return renderTable(this.#readTable(), width, style)
      default:
        return token.content === '' ? [] : wrapped(harmless(token.content), width)
    }
  }

  #renderInline(closing: string): string {
    let text = ''
    for (let token = this.#next(); token && token.type !== closing; token = this.#next())
      text += renderInline(token.children ?? [], this.#style)
    return text
  }

  /** `start` is the first number of an ordered list, or null. There are no blank lines between items. */
  #renderList(closing: string, start: number | null, width: number): Lines {
    const lines: string[] = []
    let number = this.#listStart ?? start ?? 0
    this.#listStart = null
    const bullet = BULLETS[this.#depth % BULLETS.length] ?? '•'
    this.#depth++
    for (let token = this.#next(); token && token.type !== closing; token = this.#next()) {
      if (token.type !== 'list_item_open') continue
      const marker = `${start === null ? bullet : `${number++}.`} `
      const itemLines = joinBlocks(this.renderUntil('list_item_close', width - marker.length))
      const indent = ' '.repeat(marker.length)
      if (itemLines.length === 0) lines.push(marker.trimEnd())
      lines.push(
        ...itemLines.map((line, index) => (index === 0 ? marker + line : line === '' ? '' : indent + line)),
      )
    }
    this.#depth--
    return lines
  }

  #readTable(): MarkdownTable {
    const rows: string[][] = []
    const isRightAligned: boolean[] = []
    for (let token = this.#next(); token && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([])
      if (token.type === 'th_open')
        isRightAligned.push(String(token.attrGet('style') ?? '').includes('right'))
      if (token.type === 'inline') rows.at(-1)?.push(renderInline(token.children ?? [], this.#style))
    }
    const [head = [], ...body] = rows
    return { head, rows: body, isRightAligned }
  }
}

/** Code is not wrapped, so that it can be copied. */
function codeLines(code: string, style: MarkdownStyle): Lines {
  if (code === '') return []
  const lines = harmless(code).replace(/\n$/, '').split('\n')
  return lines.map((line) => (line === '' ? '' : `${CODE_INDENT}${style.codeLine(line)}`))
}

/** Joins blocks with blank lines between them, but without one before a list. */
function joinBlocks(blocks: readonly Block[]): Lines {
  const nonEmpty = blocks.filter(({ lines }) => lines.length > 0)
  return nonEmpty.flatMap(({ isList, lines }, index) => (index === 0 || isList ? lines : ['', ...lines]))
}
