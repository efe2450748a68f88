// Parses `bc` programs. Each line is a unit of its own; what cannot be read is a `BcSyntax`.

import { tokensOf, type Token } from './tokens.ts'
import {
  BcSyntax,
  type Argument,
  type BcFunction,
  type Expression,
  type Parameter,
  type Statement,
  type Unit,
} from './tree.ts'

const DEPTH = 200
const SETTINGS = ['ibase', 'obase', 'scale', 'last'] as const
const RELATIONS = ['==', '<=', '>=', '!=', '<', '>']
const ASSIGNMENTS = ['=', '+=', '-=', '*=', '/=', '%=', '^=']

export function parseBc(source: string): readonly Unit[] {
  return new Parser(tokensOf(source)).units()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  units(): readonly Unit[] {
    const units: Unit[] = []
    while (this.#token().kind !== 'end') {
      if (this.#takes('newline')) continue
      if (this.#isWord('define')) units.push(this.#function())
      else {
        const statements = this.#line()
        // bc stops as soon as it reads this, and does not run its line.
        if (statements.some(quits)) return units.concat({ quits: true })
        units.push({ statements })
      }
    }
    return units
  }

  #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #takes(kind: Token['kind'], text?: string): boolean {
    const token = this.#token()
    if (token.kind !== kind || (text !== undefined && token.text !== text)) return false
    this.#at++
    return true
  }

  #operator(...texts: readonly string[]): string | null {
    const { kind, text } = this.#token()
    if (kind !== 'operator' || !texts.includes(text)) return null
    this.#at++
    return text
  }

  #isWord(text: string): boolean {
    const token = this.#token()
    return token.kind === 'word' && token.text === text
  }

  #expect(text: string): void {
    if (this.#operator(text) === null) this.#fail()
  }

  #fail(): never {
    const { text } = this.#token()
    throw new BcSyntax(text === '\n' ? 'the end of a line' : text)
  }

  #skipLines(): void {
    while (this.#takes('newline'));
  }

  /** Statements up to the end of the line. */
  #line(): readonly Statement[] {
    const statements: Statement[] = []
    while (!this.#takes('newline')) {
      if (this.#operator(';') !== null) continue
      statements.push(this.#statement())
      const { kind, text } = this.#token()
      if (kind !== 'newline' && text !== ';') this.#fail()
    }
    return statements
  }

  #block(): readonly Statement[] {
    const statements: Statement[] = []
    while (this.#operator('}') === null) {
      if (this.#takes('newline') || this.#operator(';') !== null) continue
      statements.push(this.#statement())
      const { kind, text } = this.#token()
      if (kind !== 'newline' && text !== ';' && text !== '}') this.#fail()
    }
    return statements
  }

  #statement(): Statement {
    if (++this.#depth > DEPTH) throw new BcSyntax('too many levels')
    const statement = this.#oneStatement()
    this.#depth--
    return statement
  }

  #oneStatement(): Statement {
    const { kind, text } = this.#token()
    if (kind === 'text') {
      this.#at++
      return { kind: 'text', text }
    }
    if (this.#operator('{') !== null) return { kind: 'block', body: this.#block() }
    if (kind !== 'word') return { kind: 'expression', value: this.#expression() }
    switch (text) {
      case 'break':
      case 'continue':
      case 'halt':
      case 'quit':
        this.#at++
        return { kind: text }
      case 'print':
        this.#at++
        return { kind: 'print', items: this.#list(() => this.#printed()) }
      case 'return':
        this.#at++
        return { kind: 'return', value: this.#returned() }
      case 'if':
        return this.#if()
      case 'while': {
        this.#at++
        const test = this.#inParentheses()
        this.#skipLines()
        return { kind: 'while', test, body: this.#statement() }
      }
      case 'for':
        return this.#for()
      default:
        return { kind: 'expression', value: this.#expression() }
    }
  }

  #printed(): Expression | string {
    const { kind, text } = this.#token()
    if (kind !== 'text') return this.#expression()
    this.#at++
    return text
  }

  #returned(): Expression | null {
    const { kind, text } = this.#token()
    return kind === 'newline' || text === ';' || text === '}' ? null : this.#expression()
  }

  #inParentheses(): Expression {
    this.#expect('(')
    const value = this.#expression()
    this.#expect(')')
    return value
  }

  #if(): Statement {
    this.#at++
    const test = this.#inParentheses()
    this.#skipLines()
    const then = this.#statement()
    // On the next line, `else` is an error of bc.
    if (!this.#takes('word', 'else')) return { kind: 'if', test, then, otherwise: null }
    this.#skipLines()
    return { kind: 'if', test, then, otherwise: this.#statement() }
  }

  #for(): Statement {
    this.#at++
    this.#expect('(')
    const part = (end: string): Expression | null => {
      if (this.#operator(end) !== null) return null
      const value = this.#expression()
      this.#expect(end)
      return value
    }
    const [start, test, step] = [part(';'), part(';'), part(')')]
    this.#skipLines()
    return { kind: 'for', start, test, step, body: this.#statement() }
  }

  #function(): BcFunction {
    this.#at++
    const isVoid = this.#takes('word', 'void')
    const name = this.#name()
    this.#expect('(')
    const parameters = this.#operator(')') === null ? this.#list(() => this.#parameter()) : []
    if (parameters.length > 0) this.#expect(')')
    this.#skipLines()
    this.#expect('{')
    this.#skipLines()
    const locals: Parameter[] = []
    if (this.#takes('word', 'auto')) {
      locals.push(...this.#list(() => this.#parameter()))
      if (this.#operator(';') === null && !this.#takes('newline')) this.#fail()
    }
    return { name, isVoid, parameters, locals, body: this.#block() }
  }

  #parameter(): Parameter {
    const name = this.#name()
    if (this.#operator('[') === null) return { name, isArray: false }
    this.#expect(']')
    return { name, isArray: true }
  }

  #name(): string {
    const { kind, text } = this.#token()
    if (kind !== 'name') this.#fail()
    this.#at++
    return text
  }

  #list<T>(item: () => T): T[] {
    const items = [item()]
    while (this.#operator(',') !== null) items.push(item())
    return items
  }

  #expression(): Expression {
    if (++this.#depth > DEPTH) throw new BcSyntax('too many levels')
    const value = this.#or()
    this.#depth--
    return value
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#operator('||') !== null) left = { kind: 'binary', operator: '||', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#operator('&&') !== null) left = { kind: 'binary', operator: '&&', left, right: this.#not() }
    return left
  }

  #not(): Expression {
    return this.#operator('!') === null ? this.#relation() : { kind: 'not', value: this.#not() }
  }

  #relation(): Expression {
    let left = this.#sum()
    for (;;) {
      const operator = this.#operator(...RELATIONS)
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#sum() }
    }
  }

  #sum(): Expression {
    let left = this.#product()
    for (;;) {
      const operator = this.#operator('+', '-')
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#product() }
    }
  }

  #product(): Expression {
    let left = this.#power()
    for (;;) {
      const operator = this.#operator('*', '/', '%')
      if (operator === null) return left
      left = { kind: 'binary', operator, left, right: this.#power() }
    }
  }

  #power(): Expression {
    const left = this.#unary()
    if (this.#operator('^') === null) return left
    return { kind: 'binary', operator: '^', left, right: this.#power() }
  }

  #unary(): Expression {
    if (this.#operator('-') !== null) return { kind: 'negative', value: this.#unary() }
    const operator = this.#operator('++', '--')
    if (operator !== null) {
      const value = this.#primary()
      if (value.kind !== 'place') this.#fail()
      return { kind: 'step', place: value.place, by: operator === '++' ? 1 : -1, before: true }
    }
    const value = this.#primary()
    if (value.kind !== 'place') return value
    const { place } = value
    const after = this.#operator('++', '--')
    if (after !== null) return { kind: 'step', place, by: after === '++' ? 1 : -1, before: false }
    const assignment = this.#operator(...ASSIGNMENTS)
    if (assignment === null) return value
    // An assignment takes all sums to its right, and no comparison.
    return { kind: 'assign', place, operator: assignment.slice(0, -1), value: this.#sum() }
  }

  #primary(): Expression {
    const { kind, text } = this.#token()
    this.#at++
    if (kind === 'number') return { kind: 'number', text }
    if (text === '.' && kind === 'operator') return settingPlace('last')
    if (text === '(' && kind === 'operator') {
      const value = this.#expression()
      this.#expect(')')
      return { kind: 'group', value }
    }
    if (kind === 'name') return this.#named(text)
    if (kind === 'word') {
      if ((text === 'length' || text === 'sqrt' || text === 'scale') && this.#token().text === '(')
        return { kind: 'built-in', name: text, value: this.#inParentheses() }
      const setting = SETTINGS.find((name) => name === text)
      if (setting !== undefined) return settingPlace(setting)
    }
    this.#at--
    return this.#fail()
  }

  #named(name: string): Expression {
    if (this.#operator('[') !== null) {
      const index = this.#expression()
      this.#expect(']')
      return { kind: 'place', place: { kind: 'element', name, index } }
    }
    if (this.#operator('(') === null) return { kind: 'place', place: { kind: 'variable', name } }
    if (this.#operator(')') !== null) return { kind: 'call', name, args: [] }
    const args = this.#list(() => this.#argument())
    this.#expect(')')
    return { kind: 'call', name, args }
  }

  #argument(): Argument {
    const [name, open, close] = [this.#token(), this.#tokens[this.#at + 1], this.#tokens[this.#at + 2]]
    if (name.kind !== 'name' || open?.text !== '[' || close?.text !== ']') return this.#expression()
    this.#at += 3
    return { kind: 'array', name: name.text }
  }
}

function settingPlace(name: (typeof SETTINGS)[number]): Expression {
  return { kind: 'place', place: { kind: 'setting', name } }
}

function quits(statement: Statement): boolean {
  switch (statement.kind) {
    case 'quit':
      return true
    case 'block':
      return statement.body.some(quits)
    case 'if':
      return quits(statement.then) || (statement.otherwise !== null && quits(statement.otherwise))
    case 'while':
    case 'for':
      return quits(statement.body)
    case 'break':
    case 'continue':
    case 'expression':
    case 'halt':
    case 'print':
    case 'return':
    case 'text':
    default:
      return false
  }
}
