// Renders the content of a paragraph as one styled string. Removes control characters that the parser decoded
// from entities and escapes.

import { harmless, harmlessLine } from '../../lib/terminal.ts'

import type { Token } from 'markdown-it'
import type { Look } from './look.ts'

/** The text of the tokens; it contains `\n` only for explicit line breaks. */
export function renderInline(tokens: readonly Token[], look: Look): string {
  return new InlineRenderer(tokens, look).renderUntil(null)
}

class InlineRenderer {
  readonly #tokens: readonly Token[]
  readonly #look: Look
  #index = 0

  constructor(tokens: readonly Token[], look: Look) {
    this.#tokens = tokens
    this.#look = look
  }

  /** Renders the content up to the token of type `closing`, or to the end if it is null. */
  renderUntil(closing: string | null): string {
    let text = ''
    for (let token = this.#next(); token && token.type !== closing; token = this.#next())
      text += this.#renderToken(token)
    return text
  }

  #next(): Token | undefined {
    return this.#tokens[this.#index++]
  }

  #renderToken(token: Token): string {
    const look = this.#look
    switch (token.type) {
      case 'softbreak':
        return ' '
      case 'hardbreak':
        return '\n'
      case 'code_inline':
        return look.code(harmlessLine(token.content))
      case 'strong_open':
        return look.strong(this.renderUntil('strong_close'))
      case 'em_open':
        return look.em(this.renderUntil('em_close'))
      case 's_open':
        return look.struck(this.renderUntil('s_close'))
      case 'link_open':
        return look.link(this.renderUntil('link_close'), harmlessLine(String(token.attrGet('href') ?? '')))
      case 'image':
        return look.link(clean(token.content), harmlessLine(String(token.attrGet('src') ?? '')))
      default:
        return clean(token.content)
    }
  }
}

/** Replaces line breaks with spaces, too; they can come from entities. */
function clean(text: string): string {
  return harmless(text).replace(/\s/g, ' ')
}
