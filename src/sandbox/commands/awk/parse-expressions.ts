// Parses awk's expressions, by precedence.

import { Unsupported } from '../command.ts'
import type { ArrayTree, Binary, Comparison, Target, Tree } from './tree.ts'
import { TokenParser } from './token-parser.ts'

const ASSIGNMENTS: Readonly<Record<string, Binary | ''>> = {
  '=': '',
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
  '^=': '^',
  '**=': '^',
}
const COMPARISONS = ['<', '<=', '==', '!=', '>', '>=']

export class ExpressionParser extends TokenParser {
  /** Whether `>` is a redirection, as in `print`. */
  #redirects = false

  /** Parses the arguments of `print`, where a comparison needs parentheses: `print a > "file"`. */
  protected printed<T>(parse: () => T): T {
    const before = this.#redirects
    this.#redirects = true
    const result = parse()
    this.#redirects = before
    return result
  }

  #inside<T>(parse: () => T): T {
    const before = this.#redirects
    this.#redirects = false
    const result = parse()
    this.#redirects = before
    return result
  }

  protected expression(): Tree {
    const left = this.#condition()
    const operator = this.token.kind === 'mark' ? ASSIGNMENTS[this.token.text] : undefined
    if (operator === undefined) return left
    if (left.kind !== 'name' && left.kind !== 'field' && left.kind !== 'element')
      return this.#assignedRight(left)
    this.at++
    this.skipNewlines()
    return { kind: 'assign', to: left, operator, value: this.expression() }
  }

  /** Parses the last operand, which may be an assignment target: `a && b = c`, `!x = y`. */
  #assignedRight(tree: Tree): Tree {
    if (tree.kind === 'and' || tree.kind === 'or' || tree.kind === 'compare' || tree.kind === 'match') {
      const right = this.#assignTo(tree.right)
      return { ...tree, right }
    }
    if (tree.kind === 'not') return { ...tree, of: this.#assignTo(tree.of) }
    if (tree.kind === 'condition') return { ...tree, no: this.#assignTo(tree.no) }
    return this.wrong()
  }

  #assignTo(left: Tree): Tree {
    const operator = ASSIGNMENTS[this.token.text]
    if (operator === undefined) return this.wrong()
    if (left.kind !== 'name' && left.kind !== 'field' && left.kind !== 'element')
      return this.#assignedRight(left)
    this.at++
    this.skipNewlines()
    return { kind: 'assign', to: left, operator, value: this.expression() }
  }

  #condition(): Tree {
    const test = this.#or()
    if (!this.take('?')) return test
    this.skipNewlines()
    const yes = this.expression()
    this.skipNewlines()
    this.expect(':')
    this.skipNewlines()
    return { kind: 'condition', test, yes, no: this.expression() }
  }

  #or(): Tree {
    let left = this.#and()
    while (this.take('||')) {
      this.skipNewlines()
      left = { kind: 'or', left, right: this.#and() }
    }
    return left
  }

  #and(): Tree {
    let left = this.#in()
    while (this.take('&&')) {
      this.skipNewlines()
      left = { kind: 'and', left, right: this.#in() }
    }
    return left
  }

  #in(): Tree {
    let left = this.#match()
    while (this.take('in')) {
      left = { kind: 'in', subscripts: left.kind === 'group' ? left.list : [left], array: this.arrayName() }
    }
    return left
  }

  /** Parses an array: `a` or `a[i]`. */
  protected arrayName(): ArrayTree {
    if (this.token.kind !== 'name') this.wrong()
    return this.#named()
  }

  #match(): Tree {
    let left = this.#compared()
    for (;;) {
      const negated = this.is('!~')
      if (!negated && !this.is('~')) return left
      this.at++
      left = { kind: 'match', negated, left, right: this.#compared() }
    }
  }

  #compared(): Tree {
    let left = this.#piped()
    while (this.token.kind === 'mark' && COMPARISONS.includes(this.token.text)) {
      if (this.#redirects && this.is('>')) break
      const operator = this.token.text as Comparison // The cast is safe: the operator is one of COMPARISONS.
      this.at++
      left = { kind: 'compare', operator, left, right: this.#piped() }
    }
    return left
  }

  /** Parses `"command" | getline`. */
  #piped(): Tree {
    let left = this.#concat()
    while (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
      this.at += 2
      left = { kind: 'getline', from: 'command', source: left, into: this.#maybeTarget() }
    }
    return left
  }

  #concat(): Tree {
    let left = this.#sum()
    while (this.#startsOperand()) left = { kind: 'concat', left, right: this.#sum() }
    return left
  }

  #startsOperand(): boolean {
    const { kind, text } = this.token
    if (kind === 'mark') return ['$', '!', '(', '++', '--', '@'].includes(text) && !this.is('!~')
    return ['number', 'string', 'regex', 'name', 'function', 'builtin'].includes(kind)
  }

  #sum(): Tree {
    let left = this.#product()
    while (this.is('+') || this.is('-')) {
      const operator = this.token.text as Binary // The cast is safe: the operator is one of the two.
      this.at++
      left = { kind: 'binary', operator, left, right: this.#product() }
    }
    return left
  }

  #product(): Tree {
    let left = this.#unary()
    while (this.is('*') || this.is('/') || this.is('%')) {
      const operator = this.token.text as Binary // The cast is safe: the operator is one of the three.
      this.at++
      left = { kind: 'binary', operator, left, right: this.#unary() }
    }
    return left
  }

  #unary(): Tree {
    if (this.take('!')) return { kind: 'not', of: this.#unary() }
    if (this.take('-')) return { kind: 'minus', of: this.#unary() }
    if (this.take('+')) return { kind: 'plus', of: this.#unary() }
    return this.#power()
  }

  #power(): Tree {
    const left = this.#stepped()
    if (!this.take('^') && !this.take('**')) return left
    // The exponent may have a sign: 2^-3; powers group to the right.
    const right = this.is('-') || this.is('+') || this.is('!') ? this.#unary() : this.#power()
    return { kind: 'binary', operator: '^', left, right }
  }

  #stepped(): Tree {
    for (const [mark, by] of [
      ['++', 1],
      ['--', -1],
    ] as const) {
      if (this.take(mark)) return { kind: 'step', to: this.#target(), by, before: true }
    }
    const tree = this.#primary()
    if (tree.kind === 'name' || tree.kind === 'field' || tree.kind === 'element') {
      if (this.take('++')) return { kind: 'step', to: tree, by: 1, before: false }
      if (this.take('--')) return { kind: 'step', to: tree, by: -1, before: false }
    }
    return tree
  }

  #target(): Target {
    if (this.token.kind === 'name') return this.#named()
    if (this.is('$')) return this.#field()
    return this.wrong()
  }

  #maybeTarget(): Target | null {
    return this.token.kind === 'name' || this.is('$') ? this.#target() : null
  }

  #field(): Target {
    this.expect('$')
    if (this.take('-')) return { kind: 'field', index: { kind: 'minus', of: this.#stepped() } }
    const stepped = this.is('++') || this.is('--')
    return { kind: 'field', index: stepped ? this.#stepped() : this.#primary() }
  }

  #named(): Target & ArrayTree {
    const { text: name } = this.token
    this.at++
    let target: Target & ArrayTree = { kind: 'name', name }
    while (this.take('[')) {
      const subscripts = this.list(']')
      if (subscripts.length === 0) this.wrong()
      target = { kind: 'element', array: target, subscripts }
    }
    return target
  }

  /** Parses expressions up to a closing token. */
  protected list(close: string): readonly Tree[] {
    return this.#inside(() => {
      const list: Tree[] = []
      this.skipNewlines()
      if (this.take(close)) return list
      do {
        this.skipNewlines()
        list.push(this.expression())
        this.skipNewlines()
      } while (this.take(','))
      this.expect(close)
      return list
    })
  }

  #primary(): Tree {
    const { kind, text, value, line } = this.token
    if (kind === 'name') return this.#named()
    if (kind === 'mark') return this.#marked(text)
    if (kind === 'number' || kind === 'string' || kind === 'regex') {
      this.at++
      if (kind === 'number') return { kind, value }
      return kind === 'string' ? { kind, value: text } : { kind, source: text }
    }
    if (kind === 'function') {
      this.at += 2
      return { kind: 'call', name: text, args: this.list(')'), indirect: false }
    }
    if (kind === 'builtin') {
      this.at++
      if (this.take('(')) return { kind: 'builtin', name: text, args: this.list(')'), line }
      if (text !== 'length') this.wrong()
      return { kind: 'builtin', name: text, args: [], line }
    }
    if (this.take('getline')) {
      const into = this.#maybeTarget()
      if (!this.take('<')) return { kind: 'getline', from: 'main', source: null, into }
      return { kind: 'getline', from: 'file', source: this.#stepped(), into }
    }
    return this.wrong()
  }

  #marked(text: string): Tree {
    if (text === '$') return this.#field()
    if (text === '-' || text === '+' || text === '!') return this.#unary()
    if (text === '(') {
      this.at++
      const list = this.list(')')
      if (list.length === 0) this.wrong()
      return { kind: 'group', list }
    }
    if (text !== '@') return this.wrong()
    this.at++
    const next = this.token
    this.at++
    if (next.kind === 'regex') return { kind: 'typed-regex', source: next.text }
    if (next.kind === 'function') {
      this.at++
      return { kind: 'call', name: next.text, args: this.list(')'), indirect: true }
    }
    throw new Unsupported(`awk @${next.text}`, 'awk -f FILE -f FILE for parts of a program')
  }
}
