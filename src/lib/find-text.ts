// Where one text stands in another, in time that grows with their lengths alone. An engine's own search takes minutes for
// texts that somebody chose for it (`aaa…b…aaa` in four million `a`).

/** Where each begins, in order, at most `most`; none overlaps another. `part` must not be empty. */
export function indexesOfText(text: string, part: string, most: number): readonly number[] {
  const places: number[] = []
  const borders = bordersOf(part)
  let matched = 0
  for (let at = 0; at < text.length && places.length < most; at++) {
    const code = text.charCodeAt(at)
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (code === part.charCodeAt(matched)) matched += 1
    if (matched < part.length) continue
    places.push(at + 1 - matched)
    matched = 0
  }
  return places
}

/** -1: nowhere. */
export function indexOfText(text: string, part: string): number {
  return indexesOfText(text, part, 1)[0] ?? -1
}

/** Of each beginning of a text the length of the longest shorter one that it ends with (Knuth, Morris, Pratt). */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at++) {
    const code = part.charCodeAt(at)
    while (length > 0 && code !== part.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (code === part.charCodeAt(length)) length += 1
    borders[at] = length
  }
  return borders
}
