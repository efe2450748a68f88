// Parses the expressions of `bc`.

import type { Token } from './tokens.ts'
import { BcSyntax, type Argument, type Expression } from './tree.ts'

/** Maximum depth of nested expressions and statements. */
export const DEPTH_MAX = 200
const SETTINGS = ['ibase', 'obase', 'scale', 'last'] as const
const RELATIONS = ['==', '<=', '>=', '!=', '<', '>']
const ASSIGNMENTS = ['=', '+=', '-=', '*=', '/=', '%=', '^=']

export class ExpressionParser {
  readonly #tokens: readonly Token[]
  protected at = 0
  protected depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  protected token(): Token {
    return this.#tokens[this.at] ?? { kind: 'end', text: '' }
  }

  protected takes(kind: Token['kind'], text?: string): boolean {
    const token = this.token()
    if (token.kind !== kind || (text !== undefined && token.text !== text)) return false
    this.at++
    return true
  }

  protected operator(...texts: readonly string[]): string | null {
    const { kind, text } = this.token()
    if (kind !== 'operator' || !texts.includes(text)) return null
    this.at++
    return text
  }

  protected isWord(text: string): boolean {
    const token = this.token()
    return token.kind === 'word' && token.text === text
  }

  protected expect(text: string): void {
    if (this.operator(text) === null) this.fail()
  }

  protected fail(): never {
    const { text } = this.token()
    throw new BcSyntax(text === '\n' ? 'the end of a line' : text)
  }

  protected inParentheses(): Expression {
    this.expect('(')
    const value = this.expression()
    this.expect(')')
    return value
  }

  protected list<T>(item: () => T): T[] {
    const items = [item()]
    while (this.operator(',') !== null) items.push(item())
    return items
  }

  protected expression(): Expression {
    if (++this.depth > DEPTH_MAX) throw new BcSyntax('too many levels')
    const value = this.#or()
    this.depth--
    return value
  }

  #or(): Expression {
    let left = this.#and()
    while (this.operator('||') !== null) left = { kind: 'binary', operator: '||', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.operator('&&') !== null) left = { kind: 'binary', operator: '&&', left, right: this.#not() }
    return left
  }

  #not(): Expression {
    return this.operator('!') === null ? this.#relation() : { kind: 'not', value: this.#not() }
  }

  #relation(): Expression {
    let left = this.#sum()
    for (;;) {
      const operator = this.operator(...RELATIONS)
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#sum() }
    }
  }

  #sum(): Expression {
    let left = this.#product()
    for (;;) {
      const operator = this.operator('+', '-')
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#product() }
    }
  }

  #product(): Expression {
    let left = this.#power()
    for (;;) {
      const operator = this.operator('*', '/', '%')
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#power() }
    }
  }

  #power(): Expression {
    const left = this.#unary()
    if (this.operator('^') === null) return left
    return { kind: 'binary', operator: '^', left, right: this.#power() }
  }

  #unary(): Expression {
    if (this.operator('-') !== null) return { kind: 'negative', value: this.#unary() }
    const operator = this.operator('++', '--')
    if (operator !== null) {
      const value = this.#primary()
      if (value.kind !== 'location') this.fail()
      return { kind: 'step', location: value.location, by: operator === '++' ? 1 : -1, before: true }
    }
    const value = this.#primary()
    if (value.kind !== 'location') return value
    const { location } = value
    const after = this.operator('++', '--')
    if (after !== null) return { kind: 'step', location, by: after === '++' ? 1 : -1, before: false }
    const assignment = this.operator(...ASSIGNMENTS)
    if (assignment === null) return value
    // The right side of an assignment may be a sum but not a comparison.
    return { kind: 'assign', location, operator: assignment.slice(0, -1), value: this.#sum() }
  }

  #primary(): Expression {
    const { kind, text } = this.token()
    this.at++
    if (kind === 'number') return { kind: 'number', text }
    if (text === '.' && kind === 'operator') return settingLocation('last')
    if (text === '(' && kind === 'operator') {
      const value = this.expression()
      this.expect(')')
      return { kind: 'group', value }
    }
    if (kind === 'name') return this.#named(text)
    if (kind === 'word') {
      if ((text === 'length' || text === 'sqrt' || text === 'scale') && this.token().text === '(')
        return { kind: 'built-in', name: text, value: this.inParentheses() }
      const setting = SETTINGS.find((name) => name === text)
      if (setting !== undefined) return settingLocation(setting)
    }
    this.at--
    return this.fail()
  }

  #named(name: string): Expression {
    if (this.operator('[') !== null) {
      const index = this.expression()
      this.expect(']')
      return { kind: 'location', location: { kind: 'element', name, index } }
    }
    if (this.operator('(') === null) return { kind: 'location', location: { kind: 'variable', name } }
    if (this.operator(')') !== null) return { kind: 'call', name, args: [] }
    const args = this.list(() => this.#argument())
    this.expect(')')
    return { kind: 'call', name, args }
  }

  #argument(): Argument {
    const [name, open, close] = [this.token(), this.#tokens[this.at + 1], this.#tokens[this.at + 2]]
    if (name.kind !== 'name' || open?.text !== '[' || close?.text !== ']') return this.expression()
    this.at += 3
    return { kind: 'array', name: name.text }
  }
}

function settingLocation(name: (typeof SETTINGS)[number]): Expression {
  return { kind: 'location', location: { kind: 'setting', name } }
}
