// A paragraph's content as one styled string. Cleans what the parser made of entities and escapes.

import { harmless, harmlessLine } from '../../lib/terminal.ts'

import type { Token } from 'markdown-it'
import type { Look } from './look.ts'

/** `\n` only for explicit line breaks. */
export function inlineText(tokens: readonly Token[], look: Look): string {
  return new Inline(tokens, look).until(null)
}

class Inline {
  readonly #tokens: readonly Token[]
  readonly #look: Look
  #at = 0

  constructor(tokens: readonly Token[], look: Look) {
    this.#tokens = tokens
    this.#look = look
  }

  /** The content up to the closing token, or to the end. */
  until(closing: string | null): string {
    let text = ''
    for (let token = this.#next(); token && token.type !== closing; token = this.#next())
      text += this.#one(token)
    return text
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #one(token: Token): string {
    const look = this.#look
    switch (token.type) {
      case 'softbreak':
        return ' '
      case 'hardbreak':
        return '\n'
      case 'code_inline':
        return look.code(harmlessLine(token.content))
      case 'strong_open':
        return look.strong(this.until('strong_close'))
      case 'em_open':
        return look.em(this.until('em_close'))
      case 's_open':
        return look.struck(this.until('s_close'))
      case 'link_open':
        return look.link(this.until('link_close'), harmlessLine(String(token.attrGet('href') ?? '')))
      case 'image':
        return look.link(clean(token.content), harmlessLine(String(token.attrGet('src') ?? '')))
      default:
        return clean(token.content)
    }
  }
}

/** A line break from an entity becomes a blank. */
function clean(text: string): string {
  return harmless(text).replace(/\s/g, ' ')
}
