// Compares version numbers as GNU's `filevercmp` does, for `sort -V`.

export function compareVersions(one: string, other: string): number {
  if (one === other) return 0
  // An empty text, `.`, `..` and other hidden names come first.
  for (const special of ['', '.', '..']) {
    if (one === special) return -1
    if (other === special) return 1
  }
  const [oneHidden, otherHidden] = [one.startsWith('.'), other.startsWith('.')]
  if (oneHidden !== otherHidden) return oneHidden ? -1 : 1
  const from = oneHidden ? 1 : 0
  const [first, second] = [one.slice(from), other.slice(from)]
  const [firstStem, secondStem] = [stemOf(first), stemOf(second)]
  return (
    compareRuns(firstStem, secondStem) ||
    compareRuns(first, second) ||
    (one < other ? -1 : one > other ? 1 : 0)
  )
}

/** The name without its extensions, such as `.tar.gz`. */
function stemOf(name: string): string {
  return name.replace(/(?:\.[A-Za-z~][A-Za-z0-9~]*)*$/, '') || name
}

/** Compares alternating runs of non-digits and digits. */
function compareRuns(one: string, other: string): number {
  let at = 0
  let there = 0
  while (at < one.length || there < other.length) {
    while (
      (at < one.length && !isDigit(one.charCodeAt(at))) ||
      (there < other.length && !isDigit(other.charCodeAt(there)))
    ) {
      const difference = rankAt(one, at) - rankAt(other, there)
      if (difference !== 0) return difference
      at++
      there++
    }
    while (one[at] === '0') at++
    while (other[there] === '0') there++
    let firstDifference = 0
    while (isDigit(one.charCodeAt(at)) && isDigit(other.charCodeAt(there))) {
      firstDifference ||= one.charCodeAt(at) - other.charCodeAt(there)
      at++
      there++
    }
    if (isDigit(one.charCodeAt(at))) return 1
    if (isDigit(other.charCodeAt(there))) return -1
    if (firstDifference !== 0) return firstDifference
  }
  return 0
}

/** The sort order of a character: `~` before the end, letters before other characters; a digit counts as the end. */
function rankAt(text: string, at: number): number {
  if (at >= text.length) return -1
  const code = text.charCodeAt(at)
  if (isDigit(code)) return 0
  if (code === 126) return -2
  return isLetter(code) ? code : code + 256
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
