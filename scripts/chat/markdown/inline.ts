// Renders the content of a paragraph as one styled string. Removes control characters that the parser decoded
// from entities and escapes.

import { harmless, harmlessLine } from '../../lib/terminal.ts'

import type { Token } from 'markdown-it'
import type { MarkdownStyle } from './style.ts'

/** The text of the tokens; it contains `\n` only for explicit line breaks. */
export function renderInline(tokens: readonly Token[], style: MarkdownStyle): string {
  return new InlineRenderer(tokens, style).renderUntil(null)
}

class InlineRenderer {
  readonly #tokens: readonly Token[]
  readonly #style: MarkdownStyle
  #index = 0

  constructor(tokens: readonly Token[], style: MarkdownStyle) {
    this.#tokens = tokens
    this.#style = style
  }

  /** Renders the content up to the token of type `closingType`, or to the end if that is null. */
  renderUntil(closingType: string | null): string {
    let text = ''
    for (let token = this.#next(); token && token.type !== closingType; token = this.#next())
      text += this.#renderToken(token)
    return text
  }

  #next(): Token | undefined {
    return this.#tokens[this.#index++]
  }

  #renderToken(token: Token): string {
    const style = this.#style
    switch (token.type) {
      case 'softbreak':
        return ' '
      case 'hardbreak':
        return '\n'
      case 'code_inline':
        return style.code(harmlessLine(token.content))
      case 'strong_open':
        return style.strong(this.renderUntil('strong_close'))
      case 'em_open':
        return style.em(this.renderUntil('em_close'))
      case 's_open':
        return style.struck(this.renderUntil('s_close'))
      case 'link_open':
        return style.link(this.renderUntil('link_close'), harmlessLine(String(token.attrGet('href') ?? '')))
      case 'image':
        return style.link(clean(token.content), harmlessLine(String(token.attrGet('src') ?? '')))
      default:
        return clean(token.content)
    }
  }
}

/** Replaces line breaks with spaces, too; they can come from entities. */
function clean(text: string): string {
  return harmless(text).replace(/\s/g, ' ')
}
