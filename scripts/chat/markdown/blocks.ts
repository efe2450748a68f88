// Renders parsed Markdown as terminal lines, wrapped to its width. Pure; stream.ts decides which blocks are
// complete.

import { harmless } from '../../lib/terminal.ts'
import { wrapped } from '../../lib/wrap.ts'
import { inlineText } from './inline.ts'
import { renderTable, type MarkdownTable } from './table.ts'

import type { Token } from 'markdown-it'
import type { Look } from './look.ts'

/** Deeply nested lists keep this width in a narrow window, past its edge. */
const WIDTH_MIN = 12
const CODE_INDENT = '    '
const BULLETS = ['•', '◦', '▪']

export interface BlockOptions {
  readonly width: number
  readonly look: Look
  /** The first number of the first block's list; null: as in the text. */
  readonly first: number | null
}

type Lines = readonly string[]

interface Block {
  readonly isList: boolean
  readonly lines: Lines
}

/** The lines of each top-level block; none if a block is empty. */
export function blockLines(tokens: readonly Token[], manner: BlockOptions): readonly Lines[] {
  const blocks = new Blocks(tokens, manner.look, manner.first).until(null, manner.width)
  return blocks.map(({ lines }) => lines)
}

class Blocks {
  readonly #tokens: readonly Token[]
  readonly #look: Look
  #first: number | null
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[], look: Look, first: number | null) {
    this.#tokens = tokens
    this.#look = look
    this.#first = first
  }

  until(closing: string | null, width: number): readonly Block[] {
    const blocks: Block[] = []
    for (let token = this.#next(); token && token.type !== closing; token = this.#next()) {
      const lines = this.#one(token, Math.max(WIDTH_MIN, width))
      blocks.push({ isList: token.type.endsWith('_list_open'), lines })
    }
    return blocks
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #one(token: Token, width: number): Lines {
    const look = this.#look
    switch (token.type) {
      case 'heading_open':
        return wrapped(look.heading(this.#inline('heading_close'), Number(token.tag.slice(1))), width)
      case 'paragraph_open':
        return wrapped(this.#inline('paragraph_close'), width)
      case 'fence':
      case 'code_block':
        return codeLines(token.content, look)
      case 'bullet_list_open':
        return this.#list('bullet_list_close', null, width)
      case 'ordered_list_open':
        return this.#list('ordered_list_close', Number(token.attrGet('start') ?? 1), width)
      case 'blockquote_open':
        return spaced(this.until('blockquote_close', width - 2)).map((line) =>
          `${look.quiet('│')} ${line}`.trimEnd(),
        )
      case 'hr':
        return [look.quiet('─'.repeat(Math.min(width, 24)))]
      case 'table_open':
        return renderTable(this.#table(), width, look)
      default:
        return token.content === '' ? [] : wrapped(harmless(token.content), width)
    }
  }

  #inline(closing: string): string {
    let text = ''
    for (let token = this.#next(); token && token.type !== closing; token = this.#next())
      text += inlineText(token.children ?? [], this.#look)
    return text
  }

  /** `first`: the first number of an ordered list. No blank lines between items. */
  #list(closing: string, first: number | null, width: number): Lines {
    const lines: string[] = []
    let number = this.#first ?? first ?? 0
    this.#first = null
    const bullet = BULLETS[this.#depth % BULLETS.length] ?? '•'
    this.#depth++
    for (let token = this.#next(); token && token.type !== closing; token = this.#next()) {
      if (token.type !== 'list_item_open') continue
      const sign = `${first === null ? bullet : `${number++}.`} `
      const inner = spaced(this.until('list_item_close', width - sign.length))
      const rest = ' '.repeat(sign.length)
      if (inner.length === 0) lines.push(sign.trimEnd())
      lines.push(...inner.map((line, at) => (at === 0 ? sign + line : line === '' ? '' : rest + line)))
    }
    this.#depth--
    return lines
  }

  #table(): MarkdownTable {
    const rows: string[][] = []
    const right: boolean[] = []
    for (let token = this.#next(); token && token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([])
      if (token.type === 'th_open') right.push(String(token.attrGet('style') ?? '').includes('right'))
      if (token.type === 'inline') rows.at(-1)?.push(inlineText(token.children ?? [], this.#look))
    }
    const [head = [], ...rest] = rows
    return { head, rows: rest, right }
  }
}

/** Code is not wrapped, so that it can be copied. */
function codeLines(code: string, look: Look): Lines {
  if (code === '') return []
  const lines = harmless(code).replace(/\n$/, '').split('\n')
  return lines.map((line) => (line === '' ? '' : `${CODE_INDENT}${look.codeLine(line)}`))
}

/** Separated by blank lines, except between a paragraph and its list. */
function spaced(blocks: readonly Block[]): Lines {
  const filled = blocks.filter(({ lines }) => lines.length > 0)
  return filled.flatMap(({ isList, lines }, at) => (at === 0 || isList ? lines : ['', ...lines]))
}
