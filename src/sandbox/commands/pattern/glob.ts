// Shell patterns as `fnmatch` matches them: `*`, `?` and brackets; `*` also matches slashes and leading dots. In steps
// that grow with the product of both lengths at most.

type Part =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'set'; readonly has: (char: string) => boolean }

/** A test for texts. `ignoreCase` as with FNM_CASEFOLD. */
export function globTest(pattern: string, ignoreCase = false): (text: string) => boolean {
  const parts = partsOf([...(ignoreCase ? pattern.toLowerCase() : pattern)], ignoreCase)
  return (text) => matches(parts, [...(ignoreCase ? text.toLowerCase() : text)])
}

function matches(parts: readonly Part[], chars: readonly string[]): boolean {
  let part = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < chars.length) {
    const one = parts[part]
    if (one?.kind === 'star') {
      star = part++
      starAt = at
    } else if (one && fits(one, chars[at] ?? '')) {
      part++
      at++
    } else if (star !== -1) {
      part = star + 1
      at = ++starAt
    } else return false
  }
  while (parts[part]?.kind === 'star') part++
  return part === parts.length
}

function fits(part: Part, char: string): boolean {
  if (part.kind === 'any') return true
  return part.kind === 'char' ? part.char === char : part.kind === 'set' && part.has(char)
}

function partsOf(chars: readonly string[], ignoreCase: boolean): readonly Part[] {
  const parts: Part[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '*') parts.push({ kind: 'star' })
    else if (char === '?') parts.push({ kind: 'any' })
    else if (char === '\\' && at + 1 < chars.length) parts.push({ kind: 'char', char: chars[++at] ?? '' })
    else if (char === '[') {
      const set = setAt(chars, at, ignoreCase)
      if (set) at = set.end
      parts.push(set ? { kind: 'set', has: set.has } : { kind: 'char', char: '[' })
    } else parts.push({ kind: 'char', char })
  }
  return parts
}

/** A bracket expression; null if it does not end. */
function setAt(
  chars: readonly string[],
  from: number,
  ignoreCase: boolean,
): { readonly has: (char: string) => boolean; readonly end: number } | null {
  let at = from + 1
  const negated = chars[at] === '!' || chars[at] === '^'
  if (negated) at++
  const tests: ((char: string) => boolean)[] = []
  for (let first = true; ; first = false, at++) {
    const char = chars[at]
    if (char === undefined) return null
    if (char === ']' && !first) break
    if (char === '[' && chars[at + 1] === ':') {
      const end = chars.indexOf(':', at + 2)
      const name = chars.slice(at + 2, end).join('')
      if (end !== -1 && chars[end + 1] === ']' && Object.hasOwn(CLASS_TESTS, name)) {
        tests.push(classTest(name, ignoreCase))
        at = end + 1
        continue
      }
    }
    const low = char === '\\' ? (chars[++at] ?? '\\') : char
    if (chars[at + 1] === '-' && chars[at + 2] !== undefined && chars[at + 2] !== ']') {
      at += 2
      const high = chars[at] === '\\' ? (chars[++at] ?? '\\') : (chars[at] ?? '')
      const [from32, to32] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0]
      tests.push((one) => (one.codePointAt(0) ?? 0) >= from32 && (one.codePointAt(0) ?? 0) <= to32)
    } else tests.push((one) => one === low)
  }
  return { has: (char) => tests.some((test) => test(char)) !== negated, end: at }
}

const CLASS_TESTS: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{L}$/u,
  digit: /^[0-9]$/,
  alnum: /^[\p{L}\p{N}]$/u,
  upper: /^\p{Lu}$/u,
  lower: /^\p{Ll}$/u,
  space: /^\s$/u,
  blank: /^[ \t]$/,
  punct: /^[\p{P}\p{S}]$/u,
  xdigit: /^[0-9A-Fa-f]$/,
  cntrl: /^[\0-\x1f\x7f]$/,
  print: /^[^\0-\x1f\x7f]$/,
  graph: /^[^\0-\x20\x7f]$/,
}

function classTest(name: string, ignoreCase: boolean): (char: string) => boolean {
  const test = CLASS_TESTS[ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name]
  return (char) => test?.test(char) ?? false
}
