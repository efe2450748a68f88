// Shell wildcards for names: `*`, `?`, `[a-z]`, `[!a-z]`, `\x`. `*` also matches `/`. The time is at most proportional
// to the product of both lengths.

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'set'; readonly has: (char: string) => boolean }

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{L}$/u,
  digit: /^[0-9]$/,
  alnum: /^[\p{L}0-9]$/u,
  upper: /^\p{Lu}$/u,
  lower: /^\p{Ll}$/u,
  space: /^[\t-\r ]$/,
  blank: /^[\t ]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  xdigit: /^[0-9A-Fa-f]$/,
}

/** Returns a function that tests whether a whole name matches `pattern`. */
export function wildcard(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(Array.from(pattern))
  return (name) => fits(tokens, Array.from(name))
}

function tokensOf(chars: readonly string[]): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '*') tokens.push({ kind: 'star' })
    else if (char === '?') tokens.push({ kind: 'any' })
    else if (char === '\\' && at + 1 < chars.length) tokens.push({ kind: 'char', char: chars[++at] ?? '' })
    else if (char === '[') {
      const set = setAt(chars, at + 1)
      if (set) at = set.end
      tokens.push(set ? { kind: 'set', has: set.has } : { kind: 'char', char })
    } else tokens.push({ kind: 'char', char })
  }
  return tokens
}

/**
 * Parses a bracket expression whose `[` is just before `at`; null if it is not closed. `end` is the index of its `]`.
 */
function setAt(chars: readonly string[], at: number): { has: (char: string) => boolean; end: number } | null {
  const negated = chars[at] === '!' || chars[at] === '^'
  if (negated) at++
  const tests: ((char: string) => boolean)[] = []
  for (let first = true; at < chars.length; first = false) {
    if (chars[at] === ']' && !first) {
      return { has: (char) => tests.some((test) => test(char)) !== negated, end: at }
    }
    const named = /^\[:([a-z]+):\]/.exec(chars.slice(at, at + 12).join(''))
    const known = named && Object.hasOwn(CLASSES, named[1] ?? '') ? CLASSES[named[1] ?? ''] : undefined
    if (named && known) {
      tests.push((char) => known.test(char))
      at += named[0].length
      continue
    }
    if (chars[at] === '\\') at++
    const from = chars[at] ?? ''
    const isRange = chars[at + 1] === '-' && chars[at + 2] !== undefined && chars[at + 2] !== ']'
    const to = isRange ? (chars[at + 2] ?? '') : from
    tests.push((char) => codeOf(char) >= codeOf(from) && codeOf(char) <= codeOf(to))
    at += isRange ? 3 : 1
  }
  return null
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}

function fits(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0
  let at = 0
  // Where to continue when `*` consumes one more character.
  let star = -1
  let starAt = 0
  while (at < chars.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      star = token++
      starAt = at
    } else if (current && isOne(current, chars[at] ?? '')) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++starAt
    } else return false
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star')
}

function isOne(token: Token, char: string): boolean {
  if (token.kind === 'any') return true
  if (token.kind === 'char') return token.char === char
  return token.kind === 'set' && token.has(char)
}
