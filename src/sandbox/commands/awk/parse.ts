// Parses an awk program: rules, functions and statements. Reports unknown syntax with its line.

import { Failed } from '../command.ts'
import { ExpressionParser } from './parse-expressions.ts'
import { tokensOf } from './tokens.ts'
import type { FunctionTree, Program, Redirection, Rule, Statement, SwitchCase, Tree } from './tree.ts'

export function parseProgram(source: string): Program {
  return new ProgramParser(tokensOf(source)).program()
}

const EMPTY: Statement = { kind: 'block', statements: [] }

class ProgramParser extends ExpressionParser {
  program(): Program {
    const begin: Statement[] = []
    const end: Statement[] = []
    const beginFile: Statement[] = []
    const endFile: Statement[] = []
    const special: Readonly<Record<string, Statement[]>> = {
      BEGIN: begin,
      END: end,
      BEGINFILE: beginFile,
      ENDFILE: endFile,
    }
    const rules: Rule[] = []
    const functions = new Map<string, FunctionTree>()
    for (this.#skipEnds(); this.token.kind !== 'end'; this.#skipEnds()) {
      const list = this.token.kind === 'word' ? special[this.token.text] : undefined
      if (list) {
        this.at++
        list.push(this.#block())
      } else if (this.is('function') && this.token.kind === 'word') {
        const made = this.#function()
        if (functions.has(made.name)) throw new Failed(`function name \`${made.name}' previously defined`, 1)
        functions.set(made.name, made)
      } else rules.push(this.#rule())
    }
    return { begin, end, beginFile, endFile, rules, functions }
  }

  #skipEnds(): void {
    while (this.token.kind === 'newline' || this.is(';')) this.at++
  }

  #rule(): Rule {
    if (this.is('{')) return { pattern: null, action: this.#block() }
    const pattern = [this.expression()]
    if (this.take(',')) {
      this.skipNewlines()
      pattern.push(this.expression())
    }
    if (this.is('{')) return { pattern, action: this.#block() }
    if (!this.is(';') && this.token.kind !== 'newline' && this.token.kind !== 'end') this.wrong()
    return { pattern, action: null }
  }

  #function(): FunctionTree {
    this.at++
    const { kind, text: name } = this.token
    if (kind !== 'name' && kind !== 'function') this.wrong()
    this.at++
    this.expect('(')
    const parameters: string[] = []
    this.skipNewlines()
    while (!this.take(')')) {
      if (this.token.kind !== 'name') this.wrong()
      parameters.push(this.token.text)
      this.at++
      this.skipNewlines()
      if (this.take(',')) this.skipNewlines()
    }
    this.skipNewlines()
    return { name, parameters, body: this.#block() }
  }

  #block(): Statement {
    this.expect('{')
    const statements = this.#statementsTo(() => this.is('}'))
    this.expect('}')
    return { kind: 'block', statements }
  }

  #statementsTo(ends: () => boolean): readonly Statement[] {
    const statements: Statement[] = []
    for (this.#skipEnds(); !ends(); this.#skipEnds()) {
      if (this.token.kind === 'end') this.wrong()
      statements.push(this.#statement())
    }
    return statements
  }

  /** Parses the body of `if` or a loop: a statement, or only `;`. */
  #body(): Statement {
    this.skipNewlines()
    if (this.take(';')) return EMPTY
    return this.#statement()
  }

  #statement(): Statement {
    if (this.is('{')) return this.#block()
    if (this.token.kind === 'word') {
      const made = this.#worded(this.token.text)
      if (made) return made
    }
    const statement = this.#simple()
    this.#ended()
    return statement
  }

  #ended(): void {
    if (this.take(';') || this.is('}')) return
    if (this.token.kind === 'newline') this.at++
    else this.wrong()
  }

  #worded(word: string): Statement | null {
    if (word === 'if') return this.#if()
    if (word === 'while') {
      this.at++
      const test = this.#head()
      if (this.take(';')) return { kind: 'while', test, body: EMPTY }
      return { kind: 'while', test, body: this.#body() }
    }
    if (word === 'do') return this.#do()
    if (word === 'for') return this.#for()
    if (word === 'switch') return this.#switch()
    if (word === 'break' || word === 'continue' || word === 'next' || word === 'nextfile') {
      this.at++
      this.#ended()
      return { kind: word }
    }
    if (word !== 'exit' && word !== 'return') return null
    this.at++
    const bare = this.is(';') || this.is('}') || this.token.kind === 'newline'
    const value = bare ? null : this.expression()
    this.#ended()
    return { kind: word, value }
  }

  #head(): Tree {
    this.expect('(')
    const list = this.list(')')
    const [test] = list
    if (!test || list.length !== 1) return this.wrong()
    return test
  }

  #if(): Statement {
    this.at++
    const test = this.#head()
    const yes = this.#body()
    const before = this.at
    this.#skipEnds()
    if (this.take('else')) return { kind: 'if', test, yes, no: this.#body() }
    this.at = before
    return { kind: 'if', test, yes, no: null }
  }

  #do(): Statement {
    this.at++
    const body = this.#body()
    this.#skipEnds()
    this.expect('while')
    const test = this.#head()
    this.#ended()
    return { kind: 'do', test, body }
  }

  #for(): Statement {
    this.at++
    this.expect('(')
    const [name, word, array] = [0, 1, 2].map((offset) => this.tokens[this.at + offset])
    if (name?.kind === 'name' && word?.text === 'in' && word.kind === 'word' && array?.kind === 'name') {
      const before = this.at
      this.at += 2
      const of = this.arrayName()
      if (this.take(')')) return { kind: 'for-in', name: name.text, array: of, body: this.#body() }
      this.at = before
    }
    const first = this.is(';') ? null : this.#simple()
    this.expect(';')
    this.skipNewlines()
    const test = this.is(';') ? null : this.expression()
    this.expect(';')
    this.skipNewlines()
    const next = this.is(')') ? null : this.#simple()
    this.expect(')')
    return { kind: 'for', first, test, next, body: this.#body() }
  }

  #switch(): Statement {
    this.at++
    const of = this.#head()
    this.skipNewlines()
    this.expect('{')
    const cases: SwitchCase[] = []
    for (this.#skipEnds(); !this.take('}'); this.#skipEnds()) {
      const fallback = this.take('default')
      if (!fallback) this.expect('case')
      const value = fallback ? null : this.#caseValue()
      this.expect(':')
      const ends = (): boolean => this.is('case') || this.is('default') || this.is('}')
      cases.push({ value, body: { kind: 'block', statements: this.#statementsTo(ends) } })
    }
    return { kind: 'switch', of, cases }
  }

  #caseValue(): Tree {
    const minus = this.take('-')
    const { kind, text, value } = this.token
    this.at++
    if (kind === 'number') return { kind, value: minus ? -value : value }
    if (kind === 'string') return { kind, value: text }
    if (kind === 'regex') return { kind, source: text }
    this.at--
    return this.wrong()
  }

  #simple(): Statement {
    if (this.is('print') || this.is('printf')) return this.#print()
    if (this.is('delete')) {
      this.at++
      const grouped = this.take('(')
      const target = this.arrayName()
      if (grouped) this.expect(')')
      if (target.kind === 'name') return { kind: 'delete', array: target, subscripts: [] }
      return { kind: 'delete', array: target.array, subscripts: target.subscripts }
    }
    return { kind: 'expression', of: this.expression() }
  }

  #print(): Statement {
    const kind = this.is('print') ? 'print' : 'printf'
    this.at++
    const args = this.printed(() => this.#printArguments())
    let redirection: Redirection | null = null
    for (const operator of ['>>', '>', '|'] as const) {
      if (redirection || !this.take(operator)) continue
      // A file name is a concatenation without comparisons.
      redirection = { operator, to: this.printed(() => this.expression()) }
    }
    return { kind, args, redirection }
  }

  #printArguments(): readonly Tree[] {
    const args: Tree[] = []
    const ends = (): boolean =>
      this.token.kind === 'newline' || [';', '}', '>', '>>', '|', ')'].some((mark) => this.is(mark))
    if (ends()) return args
    do {
      this.skipNewlines()
      args.push(this.expression())
    } while (this.take(','))
    const [only] = args
    return args.length === 1 && only?.kind === 'group' ? only.list : args
  }
}
