// Parses `bc` programs. Each line is a unit of its own; invalid input throws a `BcSyntax`.

import { DEPTH_MAX, ExpressionParser } from './parse-expressions.ts'
import { tokensOf } from './tokens.ts'
import {
  BcSyntax,
  type BcFunction,
  type Expression,
  type Parameter,
  type Statement,
  type Unit,
} from './tree.ts'

export function parseBc(source: string): readonly Unit[] {
  return new Parser(tokensOf(source)).units()
}

class Parser extends ExpressionParser {
  units(): readonly Unit[] {
    const units: Unit[] = []
    while (this.token().kind !== 'end') {
      if (this.takes('newline')) continue
      if (this.isWord('define')) units.push(this.#function())
      else {
        const statements = this.#line()
        // bc stops as soon as it reads `quit`, without running the rest of the line.
        if (statements.some(quits)) return units.concat({ quits: true })
        units.push({ statements })
      }
    }
    return units
  }

  #skipLines(): void {
    while (this.takes('newline'));
  }

  /** Parses the statements up to the end of the line. */
  #line(): readonly Statement[] {
    const statements: Statement[] = []
    while (!this.takes('newline')) {
      if (this.operator(';') !== null) continue
      statements.push(this.#statement())
      const { kind, text } = this.token()
      if (kind !== 'newline' && text !== ';') this.fail()
    }
    return statements
  }

  #block(): readonly Statement[] {
    const statements: Statement[] = []
    while (this.operator('}') === null) {
      if (this.takes('newline') || this.operator(';') !== null) continue
      statements.push(this.#statement())
      const { kind, text } = this.token()
      if (kind !== 'newline' && text !== ';' && text !== '}') this.fail()
    }
    return statements
  }

  #statement(): Statement {
    if (++this.depth > DEPTH_MAX) throw new BcSyntax('too many levels')
    const statement = this.#oneStatement()
    this.depth--
    return statement
  }

  #oneStatement(): Statement {
    const { kind, text } = this.token()
    if (kind === 'text') {
      this.at++
      return { kind: 'text', text }
    }
    if (this.operator('{') !== null) return { kind: 'block', body: this.#block() }
    if (kind !== 'word') return { kind: 'expression', value: this.expression() }
    switch (text) {
      case 'break':
      case 'continue':
      case 'halt':
      case 'quit':
        this.at++
        return { kind: text }
      case 'print':
        this.at++
        return { kind: 'print', items: this.list(() => this.#printed()) }
      case 'return':
        this.at++
        return { kind: 'return', value: this.#returned() }
      case 'if':
        return this.#if()
      case 'while': {
        this.at++
        const test = this.inParentheses()
        this.#skipLines()
        return { kind: 'while', test, body: this.#statement() }
      }
      case 'for':
        return this.#for()
      default:
        return { kind: 'expression', value: this.expression() }
    }
  }

  #printed(): Expression | string {
    const { kind, text } = this.token()
    if (kind !== 'text') return this.expression()
    this.at++
    return text
  }

  #returned(): Expression | null {
    const { kind, text } = this.token()
    return kind === 'newline' || text === ';' || text === '}' ? null : this.expression()
  }

  #if(): Statement {
    this.at++
    const test = this.inParentheses()
    this.#skipLines()
    const then = this.#statement()
    // In bc, an `else` on the next line is an error.
    if (!this.takes('word', 'else')) return { kind: 'if', test, body: then, otherwise: null }
    this.#skipLines()
    return { kind: 'if', test, body: then, otherwise: this.#statement() }
  }

  #for(): Statement {
    this.at++
    this.expect('(')
    const part = (end: string): Expression | null => {
      if (this.operator(end) !== null) return null
      const value = this.expression()
      this.expect(end)
      return value
    }
    const [start, test, step] = [part(';'), part(';'), part(')')]
    this.#skipLines()
    return { kind: 'for', start, test, step, body: this.#statement() }
  }

  #function(): BcFunction {
    this.at++
    const isVoid = this.takes('word', 'void')
    const name = this.#name()
    this.expect('(')
    const parameters = this.operator(')') === null ? this.list(() => this.#parameter()) : []
    if (parameters.length > 0) this.expect(')')
    this.#skipLines()
    this.expect('{')
    this.#skipLines()
    const locals: Parameter[] = []
    if (this.takes('word', 'auto')) {
      locals.push(...this.list(() => this.#parameter()))
      if (this.operator(';') === null && !this.takes('newline')) this.fail()
    }
    return { name, isVoid, parameters, locals, body: this.#block() }
  }

  #parameter(): Parameter {
    const name = this.#name()
    if (this.operator('[') === null) return { name, isArray: false }
    this.expect(']')
    return { name, isArray: true }
  }

  #name(): string {
    const { kind, text } = this.token()
    if (kind !== 'name') this.fail()
    this.at++
    return text
  }
}

function quits(statement: Statement): boolean {
  switch (statement.kind) {
    case 'quit':
      return true
    case 'block':
      return statement.body.some(quits)
    case 'if':
      return quits(statement.body) || (statement.otherwise !== null && quits(statement.otherwise))
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
