// Escapes in the text arguments of `print`.

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

/** Drops unknown escapes. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_, letter: string) =>
    Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] ?? '') : '',
  )
}
