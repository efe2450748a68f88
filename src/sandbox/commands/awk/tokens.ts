// Splits an awk program into tokens. Whether `/` starts a regular expression depends on the previous token.

import { Failed, Unsupported } from '../command.ts'
import { unescaped } from './escapes.ts'

export interface Token {
  readonly kind:
    | 'number'
    | 'string'
    | 'regex'
    | 'name'
    | 'function'
    | 'builtin'
    | 'word'
    | 'mark'
    | 'newline'
    | 'end'
  /** The decoded text of a string, the source of a regular expression, a name, or an operator. */
  readonly text: string
  readonly value: number
  readonly line: number
}

const WORDS = new Set(
  'BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'.split(
    ' ',
  ),
)
export const BUILTINS: ReadonlySet<string> = new Set(
  'length substr index split sub gsub gensub match sprintf tolower toupper sin cos atan2 exp log sqrt int rand srand system close fflush strtonum strftime mktime systime asort asorti patsplit and or xor lshift rshift compl typeof isarray mkbool bindtextdomain dcgettext dcngettext intdiv'.split(
    ' ',
  ),
)
const MARKS =
  '**= && || ++ -- += -= *= /= %= ^= ** == <= >= != !~ >> |& ~ ! < > = + - * / % ^ ? : , ; ( ) { } [ ] $ | @'.split(
    ' ',
  )
const NUMBER = /0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y

export function tokensOf(program: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  const add = (kind: Token['kind'], text: string, value = 0): void => {
    tokens.push({ kind, text, value, line })
  }
  const matched = (pattern: RegExp): string => {
    pattern.lastIndex = at
    return pattern.exec(program)?.[0] ?? ''
  }
  while (at < program.length) {
    const char = program[at] ?? ''
    if (char === ' ' || char === '\t' || char === '\r') at++
    else if (char === '\n') {
      add('newline', '\n')
      at++
      line++
    } else if (char === '\\' && /^\\\r?\n/.test(program.slice(at, at + 3))) {
      at += program[at + 1] === '\r' ? 3 : 2
      line++
    } else if (char === '#') {
      const end = program.indexOf('\n', at)
      at = end === -1 ? program.length : end
    } else if (char === '"') {
      const end = stringEnd(program, at + 1, line)
      add('string', unescaped(program.slice(at + 1, end)))
      at = end + 1
    } else if (char === '/' && regexMayStart(tokens.at(-1))) {
      const end = regexEnd(program, at + 1, line)
      add('regex', program.slice(at + 1, end).replaceAll('\\/', '/'))
      at = end + 1
    } else if (/[0-9]/.test(char) || (char === '.' && /[0-9]/.test(program[at + 1] ?? ''))) {
      const text = matched(NUMBER)
      add('number', text, numberOf(text))
      at += text.length
    } else if (/[A-Za-z_]/.test(char)) {
      const name = matched(NAME)
      at += name.length
      if (WORDS.has(name)) add('word', name === 'func' ? 'function' : name)
      else if (BUILTINS.has(name)) add('builtin', name)
      else add(program[at] === '(' ? 'function' : 'name', name)
    } else {
      const mark = MARKS.find((text) => program.startsWith(text, at))
      if (mark === undefined) throw new Failed(`line ${line}: syntax error at '${char}'`, 1)
      if (mark === '|&')
        throw new Unsupported('awk |& (a coprocess)', 'a pipe of the shell, or "command" | getline')
      add('mark', mark)
      at += mark.length
    }
  }
  add('newline', '\n')
  add('end', 'the end of the program')
  return tokens
}

function numberOf(text: string): number {
  if (/^0[xX]/.test(text)) return Number(text)
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text)
}

/** Whether `/` starts a regular expression: after a value it means division. */
function regexMayStart(before: Token | undefined): boolean {
  if (!before) return true
  if (before.kind === 'mark') return ![')', ']', '$', '++', '--'].includes(before.text)
  return !['number', 'string', 'regex', 'name', 'builtin'].includes(before.kind)
}

function stringEnd(program: string, from: number, line: number): number {
  for (let at = from; at < program.length; at++) {
    if (program[at] === '"') return at
    if (program[at] === '\n') break
    if (program[at] === '\\') at++
  }
  throw new Failed(`line ${line}: unterminated string`, 1)
}

/** The end of a regular expression. A slash in brackets does not end it. */
function regexEnd(program: string, from: number, line: number): number {
  let inside = false
  for (let at = from; at < program.length; at++) {
    const char = program[at]
    if (char === '\n') break
    if (char === '\\') at++
    else if (inside) {
      const named = program[at + 1] ?? ''
      if (char === ']') inside = false
      else if (char === '[' && /[:.=]/.test(named)) {
        const end = program.indexOf(`${named}]`, at + 2)
        if (end !== -1) at = end + 1
      }
    } else if (char === '[') {
      inside = true
      if (program[at + 1] === '^') at++
      if (program[at + 1] === ']') at++
    } else if (char === '/') return at
  }
  throw new Failed(`line ${line}: unterminated regexp`, 1)
}
