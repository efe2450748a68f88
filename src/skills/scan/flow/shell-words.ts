// Reads one word of shell code: its text, its variables, and its command substitutions.

interface WordPart {
  /** The name of a variable. Each part has either this or `command`. */
  readonly variable?: string
  readonly command?: string
  /** The offset in `unquoted`, which contains variables but not commands. */
  readonly offset: number
}

export interface Word {
  /** The text without quotes and escapes. Variables are written `$NAME`; commands are omitted. */
  readonly unquoted: string
  readonly parts: readonly WordPart[]
  /** True for a process substitution, `<( )`: a file with the output of the command. */
  readonly isFile: boolean
}

/** A quotation mark that is not closed within this many characters is an apostrophe. */
const QUOTED_MAX_CHARS = 4_096
const PARTS_MAX = 32
const VARIABLE = /\$(?:\{[!#]?([A-Za-z_]\w{0,60})[^}\n]{0,80}\}|([A-Za-z_]\w{0,60}|[0-9@*]))/y
const METACHARACTER = /[\s"'`$\\;&|()<>]/

/** The word that begins at `from`, and the offset of its end. */
export function readWord(text: string, from: number): readonly [Word, number] {
  let unquoted = ''
  let isFile = false
  const parts: WordPart[] = []
  const add = (part: Omit<WordPart, 'offset'>): void => {
    if (parts.length < PARTS_MAX) parts.push({ ...part, offset: unquoted.length })
  }
  /**
   * Reads the substitution that begins with a dollar sign or backtick at `offset`, or the character itself.
   * Returns the offset of the end.
   */
  const expand = (offset: number): number => {
    if (text[offset] === '`') {
      const end = text.indexOf('`', offset + 1)
      if (end < 0 || end - offset > QUOTED_MAX_CHARS) return offset + 1
      add({ command: text.slice(offset + 1, end) })
      return end + 1
    }
    if (text.startsWith('$(', offset)) {
      const end = findClosingBracket(text, offset + 1)
      add({ command: text.slice(offset + 2, end) })
      return end + 1
    }
    VARIABLE.lastIndex = offset
    const reference = VARIABLE.exec(text)
    if (reference) {
      add({ variable: reference[1] ?? reference[2] ?? '' })
      unquoted += `$${reference[1] ?? reference[2]}`
      return offset + reference[0].length
    }
    unquoted += text[offset] ?? ''
    return offset + 1
  }
  const readQuotedChar = (offset: number): number => {
    const char = text[offset] ?? ''
    if (char === '$' || char === '`') return expand(offset)
    unquoted += char === '\\' ? (text[offset + 1] ?? '') : char
    return offset + (char === '\\' ? 2 : 1)
  }
  let offset = from
  while (offset < text.length) {
    const char = text[offset] ?? ''
    if (char === "'" || (char === '"' && text[offset - 1] !== '\\')) {
      const end = findQuoteEnd(text, offset)
      if (end < 0) offset++
      else if (char === "'") {
        unquoted += text.slice(offset + 1, end)
        offset = end + 1
      } else {
        for (offset++; offset < end;) offset = readQuotedChar(offset)
        offset = Math.max(offset, end) + 1
      }
    } else if (char === '\\') {
      unquoted += text[offset + 1] ?? ''
      offset += 2
    } else if (char === '$' && text[offset + 1] === "'") offset++
    else if (char === '$' || char === '`') offset = expand(offset)
    else if ((char === '<' || char === '>') && text[offset + 1] === '(' && unquoted === '') {
      const end = findClosingBracket(text, offset + 1)
      add({ command: text.slice(offset + 2, end) })
      isFile = true
      offset = end + 1
    } else if (METACHARACTER.test(char)) break
    else {
      unquoted += char
      offset++
    }
  }
  return [{ unquoted, parts, isFile }, Math.max(offset, from + 1)]
}

/** Reads the text of a here-document, which is expanded like text in double quotes. */
export function readHereDocument(text: string): Word {
  return readWord(`"${text.replace(/(?<!\\)"/g, '\\"')}"`, 0)[0]
}

function findQuoteEnd(text: string, offset: number): number {
  const quote = text[offset] ?? ''
  const limit = Math.min(text.length, offset + QUOTED_MAX_CHARS)
  for (let end = offset + 1; end < limit; end++) {
    if (text[end] === quote) return end
    if (quote !== '"') continue
    if (text[end] === '\\') end++
    else if (text.startsWith('$(', end)) end = findClosingBracket(text, end + 1)
  }
  return -1
}

/**
 * The offset at which the bracket at `openOffset` is closed. If it is not closed within QUOTED_MAX_CHARS, the
 * offset of that limit.
 */
function findClosingBracket(text: string, openOffset: number): number {
  const limit = Math.min(text.length, openOffset + QUOTED_MAX_CHARS)
  let depth = 0
  for (let offset = openOffset; offset < limit; offset++) {
    const char = text[offset]
    if (char === '\\') offset++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return offset
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, offset + 1)
      if (end > 0 && end < limit) offset = end
    }
  }
  return limit
}
