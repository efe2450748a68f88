// Parses delimited texts: addresses, and the pattern and replacement of `s`.

/**
 * Text up to `mark`, and where what follows it begins; null if there is no `mark`. An escaped `mark` is the character itself, except where the mark is a
 * letter of an escape such as `n`.
 */
export function delimitedAt(
  script: string,
  at: number,
  mark: string,
  kind: 'pattern' | 'text',
): { text: string | null; end: number } {
  if (mark === '' || mark === '\n' || mark === '\\') return { text: null, end: at }
  let result = ''
  /** Position after the `[` of the current bracket expression; -1 outside of one. */
  let members = -1
  for (; at < script.length; at++) {
    const unit = script[at] ?? ''
    if (kind === 'pattern' && unit !== '\n' && unit !== '\\') {
      if (members === -1 && unit === '[' && mark !== '[') {
        result += unit
        if (script[at + 1] === '^') result += script[++at] ?? ''
        members = result.length
        continue
      }
      if (members !== -1) {
        const named = unit === '[' ? /^\[[:.=][^\]]*\]/.exec(script.slice(at, at + 40)) : null
        if (unit === ']' && result.length > members) members = -1
        result += named ? named[0] : unit
        if (named) at += named[0].length - 1
        continue
      }
    }
    if (unit === mark) {
      at++
      return { text: result, end: at }
    }
    if (unit === '\\') {
      const next = script[++at] ?? ''
      if (next === mark) result += kind === 'text' && mark === '&' ? String.raw`\&` : mark
      else if (next === '\n' && kind === 'pattern') result += '\n'
      else result += unit + next
    } else if (unit === '\n' && kind === 'pattern') return { text: null, end: at }
    else result += unit
  }
  return { text: null, end: at }
}
