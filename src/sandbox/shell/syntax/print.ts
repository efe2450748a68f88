// Prints commands as bash does for `declare -f`, `type`, `jobs` and `BASH_COMMAND`.

import type { ChainLink, Command, Compound, Pipeline, Redirect, Script, SimpleCommand } from './tree.ts'
import { WordPrinter, type WithHead } from './print-words.ts'

const INDENT = 4
const WORDS = new WordPrinter((script) => new Printer(true).line(script))

/** Prints a function such as `f () \n{ \n    echo\n}`. */
export function printFunction(name: string, body: Command): string {
  return new Printer().definition(`${name} () \n`, body)
}

/** Prints a command on one line, unless it has a loop, a condition or a here-document. */
export function printCommand(command: Command): string {
  return new Printer().one(command)
}

export function printChain(chain: readonly ChainLink[]): string {
  return new Printer().line({ items: [{ chain, background: false, endsLine: false }] })
}

/** The part of a compound command that `BASH_COMMAND` shows. */
export function printHead(body: WithHead): string {
  return WORDS.head(body)
}

class Printer {
  #text = ''
  #indentation = 0
  #functions = 0
  /** The number of enclosing lists and pipelines. Bodies of here-documents follow the next operator of these. */
  #connections = 0
  #bodies: Redirect[] = []
  /** Whether line ends are kept, as in command substitutions. */
  readonly #keepsLines: boolean
  /** Whether the body of a here-document was just printed, whose last line feed acts as a separator. */
  #afterBody = false

  constructor(keepsLines = false) {
    this.#keepsLines = keepsLines
  }

  definition(head: string, body: Command): string {
    this.#add(head)
    this.#functionBody(body)
    return this.#text
  }

  one(command: Command): string {
    this.#command(command)
    this.#flush('')
    return this.#text
  }

  line(script: Script): string {
    this.#list(script)
    this.#flush('')
    return this.#text
  }

  #add(text: string): void {
    this.#text += text
  }

  #newline(text: string): void {
    this.#add(`\n${' '.repeat(this.#indentation)}${text}`)
  }

  #semicolon(): void {
    if (!/[&\n]$/.test(this.#text)) this.#add(';')
  }

  /** Prints a list on separate, indented lines. */
  #indented(script: Script): void {
    this.#indentation += INDENT
    this.#add(' '.repeat(this.#indentation))
    this.#list(script)
    this.#flush('')
    this.#indentation -= INDENT
  }

  #functionBody(body: Command): void {
    const isGroup = body.kind === 'compound' && body.body.kind === 'group'
    this.#add(`${' '.repeat(this.#indentation)}{ \n`)
    this.#functions++
    this.#indentation += INDENT
    this.#add(' '.repeat(this.#indentation))
    if (body.kind === 'compound' && body.body.kind === 'group') this.#list(body.body.body)
    else this.#command(body)
    this.#flush('')
    this.#indentation -= INDENT
    this.#functions--
    this.#newline('}')
    if (!isGroup || body.redirects.length === 0) return
    this.#add(' ')
    this.#redirects(body.redirects)
  }

  #list({ items }: Script): void {
    const connects = items.length > 1 || items.some(({ background }) => background)
    if (connects) this.#connections++
    for (const [index, { chain, background, endsLine }] of items.entries()) {
      this.#chain(chain)
      if (index > 0) this.#flush('')
      const isLast = index === items.length - 1
      if (background) {
        this.#flush(' &')
        if (!isLast) this.#add(' ')
      } else if (!isLast && endsLine && this.#keepsLines) {
        this.#add('\n')
        this.#printBodies(this.#bodies.splice(0))
      } else if (!isLast) this.#separate()
    }
    if (!connects) return
    this.#flush('')
    this.#connections--
  }

  #separate(): void {
    if (this.#bodies.length > 0) this.#flush(this.#functions > 0 ? '' : ';')
    else if (this.#afterBody) this.#afterBody = false
    else this.#add(';')
    if (this.#functions > 0) this.#newline('')
    else this.#add(' ')
  }

  #chain(chain: readonly ChainLink[]): void {
    if (chain.length > 1) this.#connections++
    for (const [index, { operator, pipeline }] of chain.entries()) {
      if (index > 0) this.#flush(` ${operator} `)
      this.#pipeline(pipeline)
      if (index > 0) this.#flush('')
    }
    if (chain.length > 1) this.#connections--
  }

  #pipeline({ commands, negated, timed }: Pipeline): void {
    if (timed) this.#add(timed === 'posix' ? 'time -p ' : 'time ')
    if (negated) this.#add('! ')
    if (commands.length > 1) this.#connections++
    for (const [index, command] of commands.entries()) {
      if (index > 0) {
        this.#flush(' |')
        this.#add(' ')
      }
      this.#command(command)
      if (index > 0) this.#flush('')
    }
    if (commands.length > 1) this.#connections--
  }

  #command(command: Command): void {
    if (command.kind === 'simple') return this.#simple(command)
    this.#compound(command.body)
    if (command.redirects.length === 0) return
    this.#add(' ')
    this.#redirects(command.redirects)
  }

  #simple({ assignments, words, redirects }: SimpleCommand): void {
    this.#add(
      [...assignments.map((one) => WORDS.assignment(one)), ...words.map((word) => WORDS.word(word))].join(
        ' ',
      ),
    )
    if (redirects.length === 0) return
    if (assignments.length + words.length > 0) this.#add(' ')
    this.#redirects(redirects)
  }

  #compound(body: Compound): void {
    switch (body.kind) {
      case 'group':
        return this.#group(body.body)
      case 'subshell':
        this.#add('( ')
        this.#list(body.body)
        this.#flush('')
        return this.#add(' )')
      case 'if':
        return this.#if(body, 0)
      case 'loop':
        this.#add(body.until ? 'until ' : 'while ')
        this.#list(body.test)
        this.#flush('')
        this.#semicolon()
        this.#add(' do\n')
        return this.#until(body.body, 'done')
      case 'for':
        this.#add(`${WORDS.head(body)};`)
        this.#newline('do\n')
        return this.#until(body.body, 'done')
      case 'count':
        this.#add(`for ((${body.parts.map(({ source }) => source.trim()).join('; ')}))`)
        this.#newline('do\n')
        return this.#until(body.body, 'done')
      case 'case':
        return this.#case(body)
      case 'condition':
      case 'arithmetic':
        return this.#add(WORDS.head(body))
      case 'function':
        this.#add(`function ${body.name} () \n`)
        return this.#functionBody(body.body)
      default:
        return body satisfies never
    }
  }

  #group(list: Script): void {
    this.#add('{ ')
    if (this.#functions === 0) {
      this.#list(list)
      this.#flush('')
      this.#semicolon()
      return this.#add(' }')
    }
    this.#add('\n')
    this.#indented(list)
    this.#newline('}')
  }

  #until(list: Script, end: string): void {
    this.#indented(list)
    this.#semicolon()
    this.#newline(end)
  }

  /** Prints an `if`. Each further branch becomes an `if` within `else`. */
  #if(body: Extract<Compound, { kind: 'if' }>, index: number): void {
    const branch = body.branches[index]
    if (!branch) return
    this.#add('if ')
    this.#list(branch.test)
    this.#semicolon()
    this.#add(' then\n')
    this.#indented(branch.body)
    const isLast = index === body.branches.length - 1
    if (!isLast || body.otherwise) {
      this.#semicolon()
      this.#newline('else\n')
      if (body.otherwise && isLast) this.#indented(body.otherwise)
      else {
        this.#indentation += INDENT
        this.#add(' '.repeat(this.#indentation))
        this.#if(body, index + 1)
        this.#indentation -= INDENT
      }
    }
    this.#semicolon()
    this.#newline('fi')
  }

  #case(body: Extract<Compound, { kind: 'case' }>): void {
    this.#add(WORDS.head(body))
    this.#indentation += INDENT
    for (const { patterns, body: list, end } of body.clauses) {
      this.#newline(`${patterns.map((word) => WORDS.word(word)).join(' | ')})\n`)
      if (list.items.length > 0) this.#indented(list)
      this.#newline(end)
    }
    this.#indentation -= INDENT
    this.#newline('esac')
  }

  #redirects(redirects: readonly Redirect[]): void {
    this.#afterBody = false
    this.#add(redirects.map((one) => WORDS.redirect(one)).join(' '))
    const bodies = redirects.filter(({ here }) => here)
    if (this.#connections > 0) this.#bodies.push(...bodies)
    else this.#printBodies(bodies)
  }

  #printBodies(bodies: readonly Redirect[]): void {
    if (bodies.length === 0) return
    this.#add(`\n${bodies.map(({ target, here }) => `${target.source}${here?.delimiter ?? ''}\n`).join('')}`)
    this.#afterBody = true
  }

  /** Prints an operator, then the pending bodies of here-documents. */
  #flush(operator: string): void {
    const isShown = operator !== '' && operator !== ';'
    if (isShown) this.#add(operator)
    if (this.#bodies.length === 0) return
    this.#printBodies(this.#bodies.splice(0))
    if (isShown) this.#add(' ')
  }
}
