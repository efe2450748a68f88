// Splits a `bc` program into tokens.

import { BcSyntax } from './tree.ts'

export interface Token {
  readonly kind: 'number' | 'name' | 'word' | 'text' | 'operator' | 'newline' | 'end'
  readonly text: string
}

const WORDS = new Set(
  'auto break continue define else for halt ibase if last length limits obase print quit read return scale sqrt void warranty while'.split(
    ' ',
  ),
)
const PATTERN =
  /(?<space>[ \t]+|\\\n|\/\*[^]*?\*\/|#[^\n]*)|(?<newline>\n)|(?<number>[0-9A-F](?:[0-9A-F]|\\\n)*(?:\.(?:[0-9A-F]|\\\n)*)?|\.(?:[0-9A-F]|\\\n)+)|(?<name>[a-z][a-z0-9_]*)|"(?<text>[^"]*)"|(?<operator>[-+*/%^]=|\+\+|--|==|<=|>=|!=|&&|\|\||[-+*/%^=<>!(){}[\],;.&])/y

export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  PATTERN.lastIndex = 0
  while (PATTERN.lastIndex < source.length) {
    const at = PATTERN.lastIndex
    const groups = PATTERN.exec(source)?.groups
    if (!groups) throw new BcSyntax(source.slice(at, at + 10))
    const { newline, number, name, text, operator } = groups
    if (newline !== undefined) tokens.push({ kind: 'newline', text: '\n' })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number.replaceAll('\\\n', '') })
    else if (name !== undefined) tokens.push({ kind: WORDS.has(name) ? 'word' : 'name', text: name })
    else if (text !== undefined) tokens.push({ kind: 'text', text })
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator })
  }
  tokens.push({ kind: 'newline', text: '\n' }, { kind: 'end', text: 'the end' })
  return tokens
}
