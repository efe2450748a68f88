// Prints words, redirections and conditions as bash does. The printer of commands prints commands within words.

import { quoteSingle } from './quoting.ts'
import type { ArrayItem, Assignment, Compound, Condition, Redirect, Script, Word } from './tree.ts'

export type WithHead = Extract<Compound, { kind: 'for' | 'case' | 'condition' | 'arithmetic' }>

export class WordPrinter {
  readonly #list: (script: Script) => string

  /** `list` prints the commands of a substitution. */
  constructor(list: (script: Script) => string) {
    this.#list = list
  }

  /** The part of a compound command that `BASH_COMMAND` shows. */
  head(body: WithHead): string {
    switch (body.kind) {
      case 'for':
        return `for ${body.name} in ${body.words ? body.words.map((word) => this.word(word)).join(' ') : '"$@"'}`
      case 'case':
        return `case ${this.word(body.word)} in `
      case 'condition':
        return `[[ ${this.#condition(body.test)} ]]`
      case 'arithmetic':
        return `((${body.expression.source}))`
      default:
        return body satisfies never
    }
  }

  #condition(test: Condition): string {
    switch (test.kind) {
      case 'not':
        return `! ${this.#condition(test.test)}`
      case 'grouped':
        return `( ${this.#condition(test.test)} )`
      case 'and':
      case 'or':
        return `${this.#condition(test.left)} ${test.kind === 'and' ? '&&' : '||'} ${this.#condition(test.right)}`
      case 'unary':
        return `${test.operator} ${this.word(test.word)}`
      case 'binary':
        return `${this.word(test.left)} ${test.operator} ${this.word(test.right)}`
      default:
        return test satisfies never
    }
  }

  redirect({ operator, descriptor, variable, target, here }: Redirect): string {
    const from = variable === null ? '' : `{${variable}}`
    const number = (usual: number): string =>
      from || (descriptor === null || descriptor === usual ? '' : String(descriptor))
    if (here)
      return `${number(0)}<<${here.indented ? '-' : ''}${here.quoted ? quoteSingle(here.delimiter) : here.delimiter}`
    const word = this.word(target)
    if (operator === '<&' || operator === '>&') {
      const usual = operator === '<&' ? 0 : 1
      if (!/^(?:\d+-?|-)$/.test(word)) return `${number(usual)}${operator}${word}`
      return `${from || (descriptor ?? usual)}${word === '-' ? '>&' : operator}${word}`
    }
    const usual = operator.startsWith('<') && operator !== '<>' ? 0 : 1
    if (operator.startsWith('&')) return `${operator} ${word}`
    if (operator === '<>') return `${from || (descriptor ?? 0)}<> ${word}`
    return `${number(usual)}${operator} ${word}`
  }

  assignment({ name, subscript, appends, value }: Assignment): string {
    const key = subscript ? `[${subscript.source}]` : ''
    const text = 'parts' in value ? this.word(value) : `(${value.map((item) => this.#item(item)).join(' ')})`
    return `${name}${key}${appends ? '+' : ''}=${text}`
  }

  #item({ subscript, appends, value }: ArrayItem): string {
    return subscript ? `[${subscript.source}]${appends ? '+' : ''}=${this.word(value)}` : this.word(value)
  }

  /** Prints a word as written, except for commands within it, which are reformatted. */
  word(word: Word): string {
    if (word.assignment) return this.assignment(word.assignment)
    let { source } = word
    let from = 0
    for (const { written, body } of commandsIn(word.parts)) {
      const start = source.indexOf(written, from)
      if (start === -1) continue
      const list = this.#list(body)
      const printed = `${written.slice(0, written.indexOf('(') + 1)}${list.startsWith('(') ? ' ' : ''}${list})`
      source = source.slice(0, start) + printed + source.slice(start + written.length)
      from = start + printed.length
    }
    return source
  }
}

/** Finds the commands within a node of the tree, in order. */
function commandsIn(value: unknown): { readonly written: string; readonly body: Script }[] {
  if (typeof value !== 'object' || value === null) return []
  if ('written' in value && 'body' in value)
    // The cast is safe: only the parts of words that contain commands have these fields.
    return [value as { readonly written: string; readonly body: Script }]
  return Object.values(value).flatMap((inner) => commandsIn(inner))
}
