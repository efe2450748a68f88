// One word of shell code: its plain text, the variables in it, and the commands whose output is put into it.

interface WordPart {
  /** A variable's name, or the text of a command. */
  readonly variable?: string
  readonly command?: string
  /** Its offset in `plain`, which contains only the text before and after it. */
  readonly at: number
}

export interface Word {
  /** Without quotes and escapes. Variables stay as `$NAME`; commands are left out. */
  readonly plain: string
  readonly parts: readonly WordPart[]
  /** `<( )`: a file that holds what the command prints. */
  readonly isFile: boolean
}

/** A quote that is not closed within so many characters is an apostrophe. */
const QUOTED_MAX = 4_096
const PARTS_MAX = 32
const VARIABLE = /\$(?:\{[!#]?([A-Za-z_]\w{0,60})[^}\n]{0,80}\}|([A-Za-z_]\w{0,60}|[0-9@*]))/y
const SPECIAL = /[\s"'`$\\;&|()<>]/

/** The word that begins at `from`, and where it ends. */
export function readWord(text: string, from: number): readonly [Word, number] {
  let plain = ''
  let isFile = false
  const parts: WordPart[] = []
  const add = (part: Omit<WordPart, 'at'>): void => {
    if (parts.length < PARTS_MAX) parts.push({ ...part, at: plain.length })
  }
  /** What a dollar or a backtick begins, or the character itself. */
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

/** The text of a here-document, read like a text in double quotes. */
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

/** Where the bracket at `open` is closed; the end of the text, or of what is looked at, when it is not. */
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
