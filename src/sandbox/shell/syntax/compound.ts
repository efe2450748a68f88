// Parses compound commands and function definitions.

import { Unsupported } from '../../commands/command.ts'
import { parseCondition } from './condition.ts'
import type { Parsing } from './parsing.ts'
import { parseRedirect } from './simple.ts'
import type {
  Branch,
  CaseClause,
  Command,
  Compound,
  CompoundCommand,
  Redirect,
  Script,
  Word,
} from './tree.ts'
import { arithmeticEnd, parseArithmeticText, parseWord } from './words.ts'

const FUNCTION_NAME = /([^ \t\n;&|()<>$'"`\\{}=]+)[ \t]*\([ \t]*\)/y
const NAME = /[A-Za-z_]\w*/y
const WORD = /[^ \t\n;&|()<>]+/y

/** Parses a compound command and its redirections; null if a simple command begins here. */
export function parseCompound(parser: Parsing): CompoundCommand | null {
  parser.skipBlanks()
  const { line } = parser.source
  const body = parseBody(parser)
  if (!body) return null
  const redirects: Redirect[] = []
  for (;;) {
    // The redirections of a function belong to its body.
    if (body.kind === 'function') break
    parser.skipBlanks()
    const redirect = parseRedirect(parser)
    if (!redirect) break
    redirects.push(redirect)
  }
  return { kind: 'compound', line, body, redirects }
}

function parseBody(parser: Parsing): Compound | null {
  const { source } = parser
  if (source.peek() === '(') return parseParenthesis(parser)
  const reserved = parser.reserved()
  switch (reserved) {
    case '{': {
      source.position++
      const body = parser.commands('}')
      parser.expectReserved('}')
      return { kind: 'group', body }
    }
    case 'if':
      return parseIf(parser)
    case 'while':
    case 'until': {
      source.position += reserved.length
      const test = parser.commands('do')
      return { kind: 'loop', until: reserved === 'until', test, body: parseDo(parser) }
    }
    case 'for':
      return parseFor(parser)
    case 'case':
      return parseCase(parser)
    case '[[':
      source.position += 2
      return { kind: 'condition', test: parseCondition(parser) }
    case 'function':
      return parseFunction(parser)
    case 'select':
      throw new Unsupported('bash: select', 'a numbered list, read, and case; or a loop with for')
    case '':
      return parseNamedFunction(parser)
    default:
      throw parser.unexpectedHere()
  }
}

function parseParenthesis(parser: Parsing): Compound {
  const { source } = parser
  if (source.peek(1) === '(') {
    const end = arithmeticEnd(source, source.position + 2)
    if (end !== null) {
      const expression = parseArithmeticText(parser, source.position + 2, end)
      source.position = end + 2
      return { kind: 'arithmetic', expression }
    }
  }
  source.position++
  const body = parser.commands(')')
  source.position++
  return { kind: 'subshell', body }
}

function parseIf(parser: Parsing): Compound {
  const branches: Branch[] = []
  let otherwise: Script | null = null
  parser.acceptReserved('if')
  for (;;) {
    const test = parser.commands('then')
    parser.expectReserved('then')
    branches.push({ test, body: parser.commands('elif', 'else', 'fi') })
    if (parser.acceptReserved('elif')) continue
    if (parser.acceptReserved('else')) otherwise = parser.commands('fi')
    parser.expectReserved('fi')
    return { kind: 'if', branches, otherwise }
  }
}

/** Parses `do … done`, or braces, which `for` also accepts. */
function parseDo(parser: Parsing): Script {
  parser.skipNewlines()
  const [open, close] = parser.reserved() === '{' ? ['{', '}'] : ['do', 'done']
  parser.expectReserved(open ?? '')
  const body = parser.commands(close ?? '')
  parser.expectReserved(close ?? '')
  return body
}

function parseFor(parser: Parsing): Compound {
  const { source } = parser
  parser.acceptReserved('for')
  parser.skipBlanks()
  if (source.startsWith('((')) return parseCount(parser)
  const name = source.match(WORD)?.[0] ?? ''
  if (!new RegExp(`^${NAME.source}$`).test(name)) {
    if (name === '') throw parser.unexpectedHere()
    throw source.invalid(`\`${name}': not a valid identifier`)
  }
  source.position += name.length
  parser.skipNewlines()
  let words: Word[] | null = null
  if (parser.acceptReserved('in')) {
    words = []
    for (;;) {
      parser.skipBlanks()
      const word = parseWord(parser)
      if (!word) break
      words.push(word)
    }
    if (!/^[;\n]$/.test(parser.operator())) throw parser.unexpectedHere()
  }
  parser.accept(';')
  return { kind: 'for', name, words, body: parseDo(parser) }
}

function parseCount(parser: Parsing): Compound {
  const { source } = parser
  const start = source.position + 2
  const end = arithmeticEnd(source, start)
  if (end === null) throw parser.unexpectedHere()
  const bounds = [start - 1]
  let depth = 0
  for (let index = start; index < end; index++) {
    const char = source.text[index]
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ';' && depth === 0) bounds.push(index)
  }
  if (bounds.length !== 3) throw source.invalid('syntax error: arithmetic expression required')
  bounds.push(end)
  const part = (index: number): Word =>
    parseArithmeticText(parser, (bounds[index] ?? 0) + 1, bounds[index + 1] ?? 0)
  const parts = [part(0), part(1), part(2)] as const
  source.position = end + 2
  parser.skipNewlines()
  parser.accept(';')
  return { kind: 'count', parts, body: parseDo(parser) }
}

function parseCase(parser: Parsing): Compound {
  const { source } = parser
  parser.acceptReserved('case')
  parser.skipBlanks()
  const word = parseWord(parser)
  if (!word) throw parser.unexpectedHere()
  parser.expectReserved('in')
  const clauses: CaseClause[] = []
  for (;;) {
    parser.skipNewlines()
    if (parser.acceptReserved('esac')) return { kind: 'case', word, clauses }
    if (source.atEnd) throw source.unexpected('')
    parser.accept('(')
    const patterns: Word[] = []
    do {
      parser.skipBlanks()
      const pattern = parseWord(parser)
      if (!pattern) throw parser.unexpectedHere()
      patterns.push(pattern)
    } while (parser.accept('|'))
    if (!parser.accept(')')) throw parser.unexpectedHere()
    const body = parser.commandsOrNone(';;', ';&', ';;&', 'esac')
    const operator = parser.operator()
    const end = operator === ';&' || operator === ';;&' ? operator : ';;'
    if (operator !== '' && operator !== '\n') parser.accept(operator)
    clauses.push({ patterns, body, end })
  }
}

function parseFunction(parser: Parsing): Compound {
  const { source } = parser
  source.position += 'function'.length
  parser.skipBlanks()
  const name = source.match(WORD)?.[0] ?? ''
  if (name === '') throw parser.unexpectedHere()
  source.position += name.length
  if (parser.accept('(') && !parser.accept(')')) throw parser.unexpectedHere()
  return definition(parser, name)
}

function parseNamedFunction(parser: Parsing): Compound | null {
  const { source } = parser
  const found = source.match(FUNCTION_NAME)
  if (!found) return null
  source.position += found[0].length
  return definition(parser, found[1] ?? '')
}

function definition(parser: Parsing, name: string): Compound {
  parser.skipNewlines()
  const body: Command | null = parseCompound(parser)
  if (!body) throw parser.unexpectedHere()
  return { kind: 'function', name, body }
}
