// Parses words: quotes, expansions, extended patterns. The command parser parses commands within them.

import { unescape } from './ansi.ts'
import { Source } from './source.ts'
import type { Parameter, Part, Script, Word } from './tree.ts'

/** What the word parser needs from the command parser. */
export interface WordContext {
  readonly source: Source
  /** Whether extended patterns such as `@(a|b)` are recognized. */
  extendedPatterns: boolean
  /** Parses commands up to a closing parenthesis, which is consumed. */
  commandsInParentheses(): Script
  /** Parses `${…}` from the opening brace. */
  parameter(inDouble: boolean): Parameter
  /** Returns the same context for another text. */
  over(source: Source): WordContext
}

export interface WordEnd {
  /** Whether an unquoted character ends the word. It is not consumed. */
  readonly ends: (char: string) => boolean
  /**
   * Whether the word is within double quotes, where only `$`, backquotes, double quotes and backslashes are special.
   */
  readonly inDouble?: boolean
}

const PLAIN = /[^\\'"$`<>?*+@!(){}[\]|&; \t\n:/,=~^#%-]+/y
const META = /[ \t\n;&|()<>]/
const ENDS_WORD: WordEnd = { ends: (char) => META.test(char) }

/** Parses a word; null if the next character cannot start one. */
export function parseWord(context: WordContext, end: WordEnd = ENDS_WORD): Word | null {
  const { source } = context
  const start = source.position
  const parts = parseParts(context, end)
  if (source.position === start) return null
  return { parts, source: source.text.slice(start, source.position) }
}

/** Like `parseWord`, but returns an empty word if there is none. */
export function parseWordOrEmpty(context: WordContext, end: WordEnd = ENDS_WORD): Word {
  return parseWord(context, end) ?? { parts: [], source: '' }
}

export function parseParts(context: WordContext, end: WordEnd): Part[] {
  const { source } = context
  const parts: Part[] = []
  const inDouble = end.inDouble ?? false
  while (!source.atEnd) {
    const char = source.peek()
    if (char === '\\') {
      const next = source.peek(1)
      source.position += 2
      if (next === '\n') continue
      if (next === '') addText(parts, '\\', false)
      else if (inDouble && !/[$`"\\]/.test(next) && !end.ends(next)) addText(parts, `\\${next}`, true)
      else addText(parts, next, true)
      continue
    }
    if (char === '<' || char === '>') {
      if (!inDouble && source.peek(1) === '(' && end.ends(char)) {
        const from = source.position
        source.position += 2
        const body = context.commandsInParentheses()
        parts.push({
          kind: 'process',
          direction: char,
          body,
          written: source.text.slice(from, source.position),
        })
        continue
      }
    }
    if (end.ends(char)) break
    if (char === "'" && !inDouble) addText(parts, quotedBySingle(source), true)
    else if (char === '"') parts.push(parseDouble(context))
    else if (char === '$') parts.push(...parseDollar(context, inDouble))
    else if (char === '`') parts.push(parseBackquote(source, inDouble))
    else if (context.extendedPatterns && !inDouble && /[?*+@!]/.test(char) && source.peek(1) === '(')
      parseExtended(context, parts)
    else {
      const plain = inDouble ? null : source.match(PLAIN)
      // If an ordinary character may end the word, read characters one at a time.
      const text = plain && !Array.from(plain[0]).some((one) => end.ends(one)) ? plain[0] : char
      source.position += text.length
      addText(parts, text, inDouble)
    }
  }
  return parts
}

function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1)
  if (last?.kind === 'text' && last.quoted === quoted)
    parts[parts.length - 1] = { kind: 'text', text: last.text + text, quoted }
  else parts.push({ kind: 'text', text, quoted })
}

function quotedBySingle(source: Source): string {
  const close = source.text.indexOf("'", source.position + 1)
  if (close === -1) throw source.unterminated("'")
  const text = source.text.slice(source.position + 1, close)
  source.position = close + 1
  return text
}

/** Parses from the opening quote. */
function parseDouble(context: WordContext): Part {
  const { source } = context
  const opening = source.position++
  const parts = parseParts(context, { ends: (char) => char === '"', inDouble: true })
  if (source.peek() !== '"') {
    source.position = opening
    throw source.unterminated('"')
  }
  source.position++
  return { kind: 'double', parts }
}

/** Parses `@(a|b)`, whose text becomes part of the pattern, with the quotes and expansions in it. */
function parseExtended(context: WordContext, parts: Part[]): void {
  const { source } = context
  addText(parts, `${source.peek()}(`, false)
  source.position += 2
  for (const part of parseParts(context, { ends: (char) => char === ')' })) {
    if (part.kind === 'text') addText(parts, part.text, part.quoted)
    else parts.push(part)
  }
  if (source.peek() !== ')') throw source.unexpected('')
  source.position++
  addText(parts, ')', false)
}

const NAME = /[A-Za-z_]\w*/y
const SPECIAL = /[0-9@*#?$!-]/

/** Parses an expansion from its dollar sign. */
function parseDollar(context: WordContext, inDouble: boolean): Part[] {
  const { source } = context
  const next = source.peek(1)
  const start = source.position
  source.position++
  if (next === '(') {
    if (source.peek(1) === '(') {
      const inner = arithmeticEnd(source, source.position + 2)
      if (inner !== null) {
        const expression = parseArithmeticText(context, source.position + 2, inner)
        source.position = inner + 2
        return [{ kind: 'arithmetic', expression }]
      }
    }
    source.position++
    const body = context.commandsInParentheses()
    return [{ kind: 'command', body, written: source.text.slice(start, source.position) }]
  }
  if (next === '[') {
    const close = source.text.indexOf(']', source.position)
    if (close === -1) throw source.unterminated(']')
    const expression = parseArithmeticText(context, source.position + 1, close)
    source.position = close + 1
    return [{ kind: 'arithmetic', expression }]
  }
  if (next === '{') return [{ kind: 'parameter', parameter: context.parameter(inDouble) }]
  if (next === "'" && !inDouble) return [{ kind: 'text', text: ansiQuoted(source), quoted: true }]
  if (next === '"' && !inDouble) return [parseDouble(context)]
  const name = source.match(NAME)?.[0] ?? (SPECIAL.test(next) ? next : '')
  if (name === '') return [{ kind: 'text', text: '$', quoted: inDouble }]
  source.position += name.length
  const parameter = {
    name,
    subscript: null,
    indirect: false,
    operation: null,
    source: source.text.slice(start, source.position),
  }
  return [{ kind: 'parameter', parameter }]
}

/** Parses from the quote of `$'`. */
function ansiQuoted(source: Source): string {
  const start = source.position + 1
  let end = start
  for (; source.text[end] !== "'"; end++) {
    if (end >= source.text.length) throw source.unterminated("'")
    if (source.text[end] === '\\') end++
  }
  source.position = end + 1
  const { text } = unescape(source.text.slice(start, end), { quotes: true, zeroOctal: false })
  const zero = text.indexOf('\0')
  return zero === -1 ? text : text.slice(0, zero)
}

function parseBackquote(source: Source, inDouble: boolean): Part {
  const { line } = source
  let text = ''
  for (source.position++; source.peek() !== '`'; source.position++) {
    if (source.atEnd) throw source.unterminated('`')
    const next = source.peek(1)
    if (source.peek() === '\\' && (/[$`\\]/.test(next) || (inDouble && next === '"'))) {
      text += next
      source.position++
    } else text += source.peek()
  }
  source.position++
  return { kind: 'backquote', text, line }
}

/** The position of the `))` that closes an arithmetic expression; null if the parentheses mean something else. */
export function arithmeticEnd(source: Source, from: number): number | null {
  let depth = 0
  for (let index = from; index < source.text.length; index++) {
    const char = source.text[index]
    if (char === '\\') index++
    else if (char === "'" || char === '"') {
      const close = source.text.indexOf(char, index + 1)
      if (close === -1) return null
      index = close
    } else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) return source.text[index + 1] === ')' ? index : null
  }
  return null
}

/**
 * Parses the text between two positions as an arithmetic expression. Its expansions run before the expression is
 * parsed.
 */
export function parseArithmeticText(context: WordContext, from: number, to: number): Word {
  const inner = new Source(context.source.text.slice(0, to), context.source.firstLine)
  inner.position = from
  return { parts: textParts(context.over(inner), false), source: context.source.text.slice(from, to) }
}

/** Parses the body of a here-document whose delimiter is not quoted. */
export function parseHereDocumentText(context: WordContext, text: string, line: number): Word {
  const inner = new Source(text, line)
  return { parts: [{ kind: 'double', parts: textParts(context.over(inner), true) }], source: text }
}

/** Parses everything up to the end as within double quotes. With `quotes`, double quotes are literal. */
function textParts(context: WordContext, quotes: boolean): Part[] {
  const { source } = context
  const parts: Part[] = []
  while (!source.atEnd) {
    parts.push(...parseParts(context, { ends: (char) => char === '"', inDouble: true }))
    if (source.peek() !== '"') continue
    source.position++
    if (quotes) addText(parts, '"', true)
  }
  return parts
}
