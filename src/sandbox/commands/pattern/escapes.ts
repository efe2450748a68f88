// Decodes the character escapes of sed: `\n`, `\t`, `\x41`, `\d065`, `\cA`.

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', f: '\f', v: '\v', a: '\x07', r: '\r' }
/** Decodes the escape at the backslash `at`; null if it is not a character escape. */
export function escapeAt(text: string, at: number): { char: string; length: number } | null {
  const letter = text[at + 1] ?? ''
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined
  if (simple !== undefined) return { char: simple, length: 2 }
  const found = /^(?:d(\d{3})|o([0-7]{3})|x([\da-fA-F]{2}))/.exec(text.slice(at + 1, at + 5))
  if (found) {
    const [all, decimal, octal, hex = ''] = found
    const code = decimal ? Number(decimal) : octal ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)
    const byte = code & 0xff
    return { char: String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte), length: 1 + all.length }
  }
  const control = letter === 'c' ? text[at + 2] : undefined
  if (control && control !== '\\' && control.charCodeAt(0) < 128)
    return { char: String.fromCharCode(control.toUpperCase().charCodeAt(0) ^ 64), length: 3 }
  return null
}
