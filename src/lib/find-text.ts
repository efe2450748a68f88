// Finds text in linear time. The engine's own search takes minutes on hostile input (`aaa…b…aaa` in four
// million `a`).

/**
 * The start of each match, in order and without overlaps, at most `maxMatches` of them. `part` must not be empty.
 */
export function indexesOfText(text: string, part: string, maxMatches: number): readonly number[] {
  const starts: number[] = []
  const borders = bordersOf(part)
  let matched = 0
  for (let index = 0; index < text.length && starts.length < maxMatches; index++) {
    const code = text.charCodeAt(index)
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (code === part.charCodeAt(matched)) matched += 1
    if (matched < part.length) continue
    starts.push(index + 1 - matched)
    matched = 0
  }
  return starts
}

/** Returns -1 if there is no match. */
export function indexOfText(text: string, part: string): number {
  return indexesOfText(text, part, 1)[0] ?? -1
}

/** Returns, for each prefix, the length of its longest proper border (Knuth, Morris, Pratt). */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let length = 0
  for (let index = 1; index < part.length; index++) {
    const code = part.charCodeAt(index)
    while (length > 0 && code !== part.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (code === part.charCodeAt(length)) length += 1
    borders[index] = length
  }
  return borders
}
