// Parses parameter expansions `${…}`.

import { literalOf, type Operation, type Parameter, type Word } from './tree.ts'
import { parseArithmeticText, parseParts, parseWordOrEmpty, type WordContext } from './words.ts'

const NAME = /[A-Za-z_]\w*|[0-9]+|[@*#?$!_-]/y
/** A name after `${#`, whose length is computed. */
const LENGTH = /(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?=[}[])/y
const INDIRECT = /[A-Za-z_0-9@*#]/
const CLOSES = { ends: (char: string) => char === '}' }

/** Parses an expansion from its opening brace. */
export function parseParameter(context: WordContext, inDouble: boolean): Parameter {
  const { source } = context
  const start = source.position - 1
  source.position++
  const prefix = source.peek()
  let indirect = false
  let length = false
  if (prefix === '#' && source.peek(1) !== '}') {
    source.position++
    length = source.match(LENGTH) !== null
    if (!length) source.position--
  } else if (prefix === '!' && INDIRECT.test(source.peek(1))) {
    source.position++
    indirect = true
  }
  const name = source.match(NAME)?.[0] ?? ''
  source.position += name.length
  const subscript = /^[A-Za-z_]/.test(name) && source.peek() === '[' ? parseSubscript(context) : null
  let operation: Operation | null
  if (name === '') operation = { kind: 'invalid' }
  else if (length) operation = { kind: 'length' }
  else if (indirect && (subscript === '@' || subscript === '*') && source.peek() === '}')
    operation = { kind: 'keys' }
  else if (indirect && subscript === null && /[*@]/.test(source.peek()) && source.peek(1) === '}') {
    operation = { kind: 'names', separate: source.peek() === '@' }
    source.position++
  } else operation = parseOperation(context, inDouble)
  if (source.peek() !== '}') {
    // Keep syntax that is not understood, so that the message at run time can show it.
    parseParts(context, CLOSES)
    if (source.peek() !== '}') throw source.unterminated('}')
    operation = { kind: 'invalid' }
  }
  source.position++
  return { name, subscript, indirect, operation, source: source.text.slice(start, source.position) }
}

/** Parses a subscript from its opening bracket. */
export function parseSubscript(context: WordContext): '@' | '*' | Word {
  const { source } = context
  source.position++
  let depth = 0
  const word = parseWordOrEmpty(context, {
    ends: (char) => {
      if (char === '[') depth++
      return char === ']' && depth-- === 0
    },
  })
  if (source.peek() !== ']') throw source.unterminated(']')
  source.position++
  const literal = literalOf(word)
  return literal === '@' || literal === '*' ? literal : word
}

function parseOperation(context: WordContext, inDouble: boolean): Operation | null {
  const { source } = context
  const char = source.peek()
  const take = (count: number): void => {
    source.position += count
  }
  if (char === '}') return null
  if (/[-=?+]/.test(char)) {
    take(1)
    // The cast is safe: the test above admits only these operators.
    return { kind: 'default', operator: char as '-', orEmpty: false, word: argument(context, inDouble) }
  }
  if (char === ':' && /[-=?+]/.test(source.peek(1))) {
    const operator = source.peek(1) as '-'
    take(2)
    return { kind: 'default', operator, orEmpty: true, word: argument(context, inDouble) }
  }
  if (char === ':') return parseSubstring(context)
  if (char === '#' || char === '%') {
    // The cast is safe: the operator is one of the two characters, once or twice.
    const operator = (source.peek(1) === char ? char + char : char) as '#'
    take(operator.length)
    return { kind: 'trim', operator, pattern: parseWordOrEmpty(context, CLOSES) }
  }
  if (char === '/') return parseReplacement(context)
  if (/[\^,~]/.test(char)) {
    const operator = (source.peek(1) === char ? char + char : char) as '^'
    take(operator.length)
    const pattern = source.peek() === '}' ? null : parseWordOrEmpty(context, CLOSES)
    return { kind: 'case', operator, pattern }
  }
  if (char === '@') {
    const operator = source.peek(1)
    if (!/[QEPAKakuUL]/.test(operator)) return { kind: 'invalid' }
    take(2)
    return { kind: 'transform', operator }
  }
  return { kind: 'invalid' }
}

/** Within double quotes, single quotes have no meaning in the word. */
function argument(context: WordContext, inDouble: boolean): Word {
  return parseWordOrEmpty(context, { ...CLOSES, inDouble })
}

/** Parses from the colon. The offset ends at a colon that is not part of `? :` or in parentheses. */
function parseSubstring(context: WordContext): Operation {
  const { source } = context
  source.position++
  const part = (): Word => {
    const start = source.position
    let depth = 0
    let choices = 0
    parseParts(context, {
      ends: (char) => {
        if (char === '(') depth++
        else if (char === ')') depth--
        else if (char === '?') choices++
        else if (char === ':' && depth === 0) return choices-- === 0
        return char === '}'
      },
    })
    return parseArithmeticText(context, start, source.position)
  }
  const offset = part()
  if (source.peek() !== ':') return { kind: 'substring', offset, length: null }
  source.position++
  return { kind: 'substring', offset, length: part() }
}

/** Parses from the slash. */
function parseReplacement(context: WordContext): Operation {
  const { source } = context
  source.position++
  const first = source.peek()
  const where = first === '/' ? 'all' : first === '#' ? 'start' : first === '%' ? 'end' : 'first'
  if (where !== 'first') source.position++
  const pattern = parseWordOrEmpty(context, { ends: (char) => char === '}' || char === '/' })
  let replacement: Word | null = null
  if (source.peek() === '/') {
    source.position++
    // Single quotes quote in a replacement, even within double quotes.
    replacement = parseWordOrEmpty(context, CLOSES)
  }
  return { kind: 'replace', where, pattern, replacement }
}
