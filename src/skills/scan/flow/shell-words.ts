// Reads one word of shell code: its text, its variables, and its command substitutions.

interface WordPart {
  /** The name of a variable. Each part has either this or `command`. */
  readonly variable?: string
  readonly command?: string
  /** The offset in `plain`, which contains variables but not commands. */
  readonly at: number
}

export interface Word {
  /** The text without quotes and escapes. Variables are written `$NAME`; commands are omitted. */
  readonly plain: string
  readonly parts: readonly WordPart[]
  /** True for a process substitution, `<( )`: a file with the output of the command. */
  readonly isFile: boolean
}

/** A quotation mark that is not closed within this many characters is an apostrophe. */
const QUOTED_MAX = 4_096
const PARTS_MAX = 32
const VARIABLE = /\$(?:\{[!#]?([A-Za-z_]\w{0,60})[^}\n]{0,80}\}|([A-Za-z_]\w{0,60}|[0-9@*]))/y
const SPECIAL = /[\s"'`$\\;&|()<>]/

/** The word that begins at `from`, and the offset of its end. */
export function readWord(text: string, from: number): readonly [Word, number] {
  let plain = ''
  let isFile = false
  const parts: WordPart[] = []
  const add = (part: Omit<WordPart, 'at'>): void => {
    if (parts.length < PARTS_MAX) parts.push({ ...part, at: plain.length })
  }
  /**
   * Reads the substitution that begins with a dollar sign or backtick at `at`, or the character itself.
   * Returns the offset of the end.
   */
  const expand = (at: number): number => {
    if (text[at] === '`') {
      const end = text.indexOf('`', at + 1)
      if (end < 0 || end - at > QUOTED_MAX) return at + 1
      add({ command: text.slice(at + 1, end) })
      return end + 1
    }
    if (text.startsWith('$(', at)) {
      const end = closing(text, at + 1)
      add({ command: text.slice(at + 2, end) })
      return end + 1
    }
    VARIABLE.lastIndex = at
    const found = VARIABLE.exec(text)
    if (found) {
      add({ variable: found[1] ?? found[2] ?? '' })
      plain += `$${found[1] ?? found[2]}`
      return at + found[0].length
    }
    plain += text[at] ?? ''
    return at + 1
  }
  const quotedChar = (at: number): number => {
    const char = text[at] ?? ''
    if (char === '$' || char === '`') return expand(at)
    plain += char === '\\' ? (text[at + 1] ?? '') : char
    return at + (char === '\\' ? 2 : 1)
  }
  let at = from
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === "'" || (char === '"' && text[at - 1] !== '\\')) {
      const end = quoteEnd(text, at)
      if (end < 0) at++
      else if (char === "'") {
        plain += text.slice(at + 1, end)
        at = end + 1
      } else {
        for (at++; at < end;) at = quotedChar(at)
        at = Math.max(at, end) + 1
      }
    } else if (char === '\\') {
      plain += text[at + 1] ?? ''
      at += 2
    } else if (char === '$' && text[at + 1] === "'") at++
    else if (char === '$' || char === '`') at = expand(at)
    else if ((char === '<' || char === '>') && text[at + 1] === '(' && plain === '') {
      const end = closing(text, at + 1)
      add({ command: text.slice(at + 2, end) })
      isFile = true
      at = end + 1
    } else if (SPECIAL.test(char)) break
    else {
      plain += char
      at++
    }
  }
  return [{ plain, parts, isFile }, Math.max(at, from + 1)]
}

/** Reads the text of a here-document, which is expanded like text in double quotes. */
export function wordOf(text: string): Word {
  return readWord(`"${text.replace(/(?<!\\)"/g, '\\"')}"`, 0)[0]
}

function quoteEnd(text: string, at: number): number {
  const quote = text[at] ?? ''
  const limit = Math.min(text.length, at + QUOTED_MAX)
  for (let end = at + 1; end < limit; end++) {
    if (text[end] === quote) return end
    if (quote !== '"') continue
    if (text[end] === '\\') end++
    else if (text.startsWith('$(', end)) end = closing(text, end + 1)
  }
  return -1
}

/**
 * The offset at which the bracket at `open` is closed. If it is not closed within QUOTED_MAX characters, the
 * offset of that limit.
 */
function closing(text: string, open: number): number {
  const limit = Math.min(text.length, open + QUOTED_MAX)
  let depth = 0
  for (let at = open; at < limit; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1)
      if (end > 0 && end < limit) at = end
    }
  }
  return limit
}
