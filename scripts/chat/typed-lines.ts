// Parses terminal input that arrived while no line was being read: complete lines, and an incomplete one. Pure.

const ESC = '\x1b'
const PASTE_START = `${ESC}[200~`
const PASTE = new RegExp(`^${ESC}\\[200~([^]*?)${ESC}\\[201~`)
/** The bytes of keys such as arrows, and other control characters. */
const OTHER_KEYS = new RegExp(`^(?:${ESC}\\[[\\d;]*[A-Za-z~]|${ESC}O[A-Z]|[^\\P{Cc}\\r\\n])`, 'u')
const LINE_BREAK = /^(?:\r\n?|\n)/
const BACKSPACES: ReadonlySet<string> = new Set(['\x7f', '\b'])

export interface TypedLine {
  /** The raw input. */
  readonly raw: string
  readonly text: string
}

/** As in a message, a line that ends in a backslash continues on the next one, and a paste may have several lines. */
export function splitTyped(input: string): {
  readonly lines: readonly TypedLine[]
  readonly rest: TypedLine
} {
  const lines: TypedLine[] = []
  let line: TypedLine = { raw: '', text: '' }
  for (let at = 0; at < input.length;) {
    const left = input.slice(at)
    const { raw, change, ends = false } = nextKey(left, line.text)
    at += raw.length
    line = { raw: line.raw + raw, text: change(line.text) }
    if (!ends) continue
    lines.push(line)
    line = { raw: '', text: '' }
  }
  return { lines, rest: line }
}

interface Key {
  readonly raw: string
  readonly change: (text: string) => string
  /** Whether it ends the line. */
  readonly ends?: boolean
}

function nextKey(left: string, text: string): Key {
  const paste = PASTE.exec(left)
  if (paste) return { raw: paste[0], change: (line) => line + (paste[1] ?? '').replaceAll(/\r\n?/g, '\n') }
  // The rest of the paste has not arrived yet.
  if (left.startsWith(PASTE_START)) return { raw: left, change: (line) => line }
  const lineBreak = LINE_BREAK.exec(left)?.[0]
  if (lineBreak !== undefined)
    return text.endsWith('\\')
      ? { raw: lineBreak, change: (line) => `${line.slice(0, -1)}\n` }
      : { raw: lineBreak, change: (line) => line, ends: true }
  const key = OTHER_KEYS.exec(left)?.[0]
  if (key === undefined) {
    const character = String.fromCodePoint(left.codePointAt(0) ?? 0)
    return { raw: character, change: (line) => line + character }
  }
  return {
    raw: key,
    change: (line) => (BACKSPACES.has(key) ? Array.from(line).slice(0, -1).join('') : line),
  }
}
