// Parses the inside of `[[ … ]]`.

import type { Parsing } from './parsing.ts'
import { literalOf, type Condition, type Word } from './tree.ts'
import { parseWord, type WordEnd } from './words.ts'

const UNARY = /^-[a-hknoprstuvwxzGLNORS]$/
const BINARY = /^(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/
const WORD: WordEnd = { ends: (char) => /[ \t\n;&|()<>]/.test(char) }

/** Parses a condition after `[[`, and consumes `]]`. */
export function parseCondition(parser: Parsing): Condition {
  const extended = parser.extendedPatterns
  parser.extendedPatterns = true
  const test = parseOr(parser)
  parser.extendedPatterns = extended
  parser.skipNewlines()
  if (!closes(parser)) throw unexpected(parser)
  parser.source.position += 2
  return test
}

function closes({ source }: Parsing): boolean {
  return source.match(/\]\](?=[ \t\n;&|()<>]|$)/y) !== null
}

function parseOr(parser: Parsing): Condition {
  let left = parseAnd(parser)
  for (parser.skipNewlines(); parser.accept('||'); parser.skipNewlines())
    left = { kind: 'or', left, right: parseAnd(parser) }
  return left
}

function parseAnd(parser: Parsing): Condition {
  let left = parseTerm(parser)
  for (parser.skipNewlines(); parser.accept('&&'); parser.skipNewlines())
    left = { kind: 'and', left, right: parseTerm(parser) }
  return left
}

function parseTerm(parser: Parsing): Condition {
  parser.skipNewlines()
  const { source } = parser
  if (source.match(/!(?=[ \t\n(])/y)) {
    source.position++
    return { kind: 'not', test: parseTerm(parser) }
  }
  if (source.peek() === '(') {
    source.position++
    const test = parseOr(parser)
    parser.skipNewlines()
    if (!parser.accept(')')) throw unexpected(parser)
    return { kind: 'grouped', test }
  }
  if (closes(parser)) throw unexpected(parser)
  const first = parseWord(parser, WORD)
  if (!first) throw unexpected(parser)
  const operator = literalOf(first)
  parser.skipNewlines()
  if (
    operator !== null &&
    UNARY.test(operator) &&
    !closes(parser) &&
    !/^(?:&&|\|\||\))$/.test(parser.operator())
  ) {
    const start = source.position
    const word = parseWord(parser, WORD)
    if (word && !BINARY.test(literalOf(word) ?? '')) return { kind: 'unary', operator, word }
    source.position = start
  }
  return parseBinary(parser, first)
}

function parseBinary(parser: Parsing, left: Word): Condition {
  const { source } = parser
  const angle = source.peek()
  if ((angle === '<' || angle === '>') && source.peek(1) !== '(') {
    source.position++
    return { kind: 'binary', operator: angle, left, right: operand(parser, WORD) }
  }
  const start = source.position
  const operator = literalOf(parseWord(parser, WORD) ?? { parts: [], source: '' }) ?? ''
  if (!BINARY.test(operator)) {
    source.position = start
    if (!closes(parser) && !/^(?:&&|\|\||\))$/.test(parser.operator())) throw unexpected(parser)
    return { kind: 'unary', operator: '-n', word: left }
  }
  return {
    kind: 'binary',
    operator,
    left,
    right: operand(parser, operator === '=~' ? expressionEnd() : WORD),
  }
}

function operand(parser: Parsing, end: WordEnd): Word {
  parser.skipNewlines()
  // In a regular expression, parentheses do not form extended patterns.
  const extended = parser.extendedPatterns
  parser.extendedPatterns = end === WORD
  const word = parseWord(parser, end)
  parser.extendedPatterns = extended
  if (!word) throw unexpected(parser)
  return word
}

/** A regular expression ends at a blank outside parentheses. */
function expressionEnd(): WordEnd {
  let depth = 0
  return {
    ends: (char) => {
      if (char === '(') depth++
      else if (char === ')') {
        if (depth === 0) return true
        depth--
      }
      return depth === 0 && /[ \t\n]/.test(char)
    },
  }
}

function unexpected(parser: Parsing): Error {
  return parser.unexpectedHere()
}
