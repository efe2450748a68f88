// Quotes text so that the shell reads it as one word.

const NAMES: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\x1b': 'E',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\\': '\\',
  "'": "'",
}
const CONTROL = /\p{Cc}/u
/** A lone surrogate that represents an escaped byte (text.ts), not the second half of a pair. */
const ESCAPED = /(?<![\ud800-\udbff])[\udc80-\udcff]/

function hasControl(text: string): boolean {
  return CONTROL.test(text) || ESCAPED.test(text)
}

/** `'a b'`, or `$'a\nb'`, as `${x@Q}` prints it. */
export function quoteSingle(text: string): string {
  return hasControl(text) ? quoteAnsi(text) : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Quotes as `$'a\nb'`. */
function quoteAnsi(text: string): string {
  let quoted = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (Object.hasOwn(NAMES, char)) quoted += `\\${NAMES[char] ?? ''}`
    else if (code < 32 || code === 127) quoted += `\\${code.toString(8).padStart(3, '0')}`
    else if (code >= 0xdc80 && code <= 0xdcff) quoted += `\\${(code - 0xdc00).toString(8).padStart(3, '0')}`
    else quoted += char
  }
  return `$'${quoted}'`
}

/** Quotes a name for messages, but only if it contains control characters. */
export function shownText(text: string): string {
  return hasControl(text) ? quoteAnsi(text) : text
}

/** Quotes as `a\ b`, like `printf %q`. */
export function quoteBackslash(text: string): string {
  if (text === '') return "''"
  if (hasControl(text)) return quoteAnsi(text)
  return text.replaceAll(/[ \t\n'"\\|&;()<>!{}*[\]?^$`,]|^[#~]|(?<=[:=])~/g, String.raw`\$&`)
}

/** Quotes as `"a b"`, like `declare -p`. */
export function quoteDouble(text: string): string {
  return hasControl(text) ? quoteAnsi(text) : `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`
}

/** Quotes a word as `set -x` prints it. */
export function quoteForTrace(text: string): string {
  if (text === '') return "''"
  if (hasControl(text)) return quoteAnsi(text)
  return /[\s'"\\|&;()<>!{}*[\]?^$`]|^[#~]|(?<=[:=])~/.test(text) ? quoteSingle(text) : text
}
