// Parses simple commands: assignments, words, redirections.

import type { Parsing } from './parsing.ts'
import { parseSubscript } from './parameters.ts'
import {
  literalOf,
  type ArrayItem,
  type Assignment,
  type Redirect,
  type SimpleCommand,
  type Word,
} from './tree.ts'
import { parseWord, parseWordOrEmpty } from './words.ts'

const ASSIGNMENT = /([A-Za-z_]\w*)(?=\[|\+?=)/y
const REDIRECT = /(?:(\d+)|\{([A-Za-z_]\w*)\})?(<<<|<<-?|<&|<>|<|>>|>&|>\||>)|(&>>|&>)/y
/** Commands whose arguments may be assignments, including lists. */
const DECLARES = new Set(['declare', 'typeset', 'local', 'export', 'readonly', 'alias'])

export function parseSimple(parser: Parsing): SimpleCommand {
  const { source } = parser
  parser.skipBlanks()
  const { line } = source
  const assignments: Assignment[] = []
  const words: Word[] = []
  const redirects: Redirect[] = []
  for (;;) {
    parser.skipBlanks()
    const redirect = parseRedirect(parser)
    if (redirect) {
      redirects.push(redirect)
      continue
    }
    const declares = words.length > 0 && DECLARES.has(literalOf(words[0] ?? { parts: [], source: '' }) ?? '')
    const start = source.position
    const assignment = words.length === 0 || declares ? parseAssignment(parser) : null
    if (assignment && words.length === 0) assignments.push(assignment)
    else if (assignment)
      words.push({ parts: [], source: source.text.slice(start, source.position), assignment })
    else {
      const word = parseWord(parser)
      if (!word) break
      words.push(word)
    }
  }
  if (assignments.length + words.length + redirects.length === 0) throw parser.unexpectedHere()
  return { kind: 'simple', line, assignments, words, redirects }
}

/** Parses a redirection; null if there is none. */
export function parseRedirect(parser: Parsing): Redirect | null {
  const { source } = parser
  const found = source.match(REDIRECT)
  if (!found) return null
  const [all, digits, variable, single, both] = found
  // `<(` and `>(` begin words, not redirections.
  if (/^[<>]$/.test(all) && source.peek(all.length) === '(') return null
  source.position += all.length
  parser.skipBlanks()
  const target = parseWord(parser)
  if (!target) throw parser.unexpectedHere()
  const indented = single === '<<-'
  const redirect: Redirect = {
    // The cast is safe: the regular expression matches only these operators, and `<<-` is replaced here.
    operator: (indented ? '<<' : (single ?? both)) as Redirect['operator'],
    descriptor: digits === undefined ? null : Number(digits),
    variable: variable ?? null,
    target,
  }
  if (redirect.operator === '<<') parser.pendingHere.push({ redirect, indented })
  return redirect
}

/** Parses `name=value`. Returns null, without moving the position, for anything else. */
function parseAssignment(parser: Parsing): Assignment | null {
  const { source } = parser
  const start = source.position
  const name = source.match(ASSIGNMENT)?.[1]
  if (name === undefined) return null
  source.position += name.length
  let subscript: Word | null = null
  if (source.peek() === '[') {
    const close = parseSubscriptIfClosed(parser)
    if (close === null) {
      source.position = start
      return null
    }
    subscript = close
  }
  const appends = source.startsWith('+=')
  if (!appends && source.peek() !== '=') {
    source.position = start
    return null
  }
  source.position += appends ? 2 : 1
  if (source.peek() !== '(' || subscript) return { name, subscript, appends, value: parseWordOrEmpty(parser) }
  source.position++
  return { name, subscript, appends, value: parseArrayItems(parser) }
}

function parseSubscriptIfClosed(parser: Parsing): Word | null {
  const { source } = parser
  const start = source.position
  try {
    const subscript = parseSubscript(parser)
    if (typeof subscript !== 'string') return subscript
    return { parts: [{ kind: 'text', text: subscript, quoted: false }], source: subscript }
  } catch {
    source.position = start
    return null
  }
}

/** Parses array items after the opening parenthesis. */
function parseArrayItems(parser: Parsing): ArrayItem[] {
  const { source } = parser
  const items: ArrayItem[] = []
  for (;;) {
    parser.skipNewlines()
    if (source.atEnd) throw source.unterminated(')')
    if (source.peek() === ')') break
    items.push(parseArrayItem(parser))
  }
  source.position++
  return items
}

function parseArrayItem(parser: Parsing): ArrayItem {
  const { source } = parser
  const start = source.position
  if (source.peek() === '[') {
    const subscript = parseSubscriptIfClosed(parser)
    const appends = source.startsWith('+=')
    if (subscript && (appends || source.peek() === '=')) {
      source.position += appends ? 2 : 1
      return { subscript, appends, value: parseWordOrEmpty(parser) }
    }
    source.position = start
  }
  const value = parseWord(parser)
  if (!value) throw parser.unexpectedHere()
  return { subscript: null, appends: false, value }
}
