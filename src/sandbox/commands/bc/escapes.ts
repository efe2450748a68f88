// The escapes in texts of `print`.

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  q: '"',
  r: '\r',
  t: '\t',
  '\\': '\\',
}

/** Unknown escapes print nothing. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_, letter: string) =>
    Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] ?? '') : '',
  )
}
