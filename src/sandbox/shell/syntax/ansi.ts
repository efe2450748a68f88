// Decodes the backslash escapes of `$'…'`, `printf %b` and `echo -e`.

import { decode } from '../../commands/io/text.ts'

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

export interface EscapeRules {
  /** Whether `\'`, `\"`, `\?`, `\cX` and `\nnn` are escapes, as in `$'…'` and formats. */
  readonly quotes: boolean
  /** Whether `\0nnn` takes up to three octal digits after the zero, as in `echo -e` and `%b`. */
  readonly zeroOctal: boolean
}

export interface Unescaped {
  readonly text: string
  /** Whether `\c` ended the text. */
  readonly ended: boolean
}

export function unescape(source: string, rules: EscapeRules): Unescaped {
  if (!source.includes('\\')) return { text: source, ended: false }
  let text = ''
  /** Bytes of consecutive numeric escapes, which may form one character. */
  let bytes: number[] = []
  const settle = (): void => {
    if (bytes.length === 0) return
    text += decode(Uint8Array.from(bytes))
    bytes = []
  }
  for (let index = 0; index < source.length;) {
    const char = source[index] ?? ''
    if (char !== '\\' || index + 1 >= source.length) {
      // Escaped bytes above ASCII combine only with other escaped bytes after them.
      settle()
      text += char
      index++
      continue
    }
    const rest = source.slice(index + 1, index + 12)
    const octal =
      (rules.zeroOctal ? /^0([0-7]{0,3})/ : /^([0-7]{1,3})/).exec(rest) ??
      (rules.zeroOctal && rules.quotes ? /^([0-7]{1,3})/.exec(rest) : null)
    const hex = /^x([0-9a-fA-F]{1,2})/.exec(rest)
    const unicode = /^(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/.exec(rest)
    if (octal) {
      bytes.push(Number.parseInt(octal[1] || '0', 8) & 255)
      index += 1 + octal[0].length
    } else if (hex) {
      bytes.push(Number.parseInt(hex[1] ?? '', 16))
      index += 1 + hex[0].length
    } else {
      settle()
      const next = rest[0] ?? ''
      if (unicode) {
        const code = Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16)
        text += code > 0x10_ff_ff ? '' : String.fromCodePoint(code)
        index += 1 + unicode[0].length
      } else if (next === 'c' && rules.zeroOctal) return { text, ended: true }
      else if (next === 'c' && rest.length > 1) {
        text += String.fromCharCode((rest.charCodeAt(1) & 0x5f) ^ 64)
        index += 3
      } else if (Object.hasOwn(SIMPLE, next)) {
        text += SIMPLE[next] ?? ''
        index += 2
      } else if (rules.quotes && /['"?]/.test(next)) {
        text += next
        index += 2
      } else {
        text += `\\${next}`
        index += 2
      }
    }
  }
  settle()
  return { text, ended: false }
}
