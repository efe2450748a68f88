// Translates a glob into the source of a regular expression.

import { RE2JS } from 're2js'

/**
 * Returns a regular expression that matches a complete relative path. A glob without a slash matches file names in any
 * folder; with `anchored`, it only matches names directly in the searched folder.
 */
export function globSource(glob: string, anchored = false): string {
  const normalized = glob.normalize('NFC')
  const prefix = anchored || normalized.includes('/') ? '' : '(?:.*/)?'
  return prefix + translateGlob(normalized.replace(/^(?:\.\/)+/, ''))
}

function translateGlob(glob: string): string {
  const alternationIndexes = findAlternationIndexes(glob)
  let source = ''
  for (let index = 0; index < glob.length;) {
    const char = glob.charAt(index)
    const stars = /^\*+/.exec(glob.slice(index))?.[0].length ?? 0
    const characterClass = char === '[' ? parseCharacterClass(glob, index) : null
    let consumedChars = 1
    if (stars > 0) {
      const isGlobstar =
        stars > 1 && /^[/{,]?$/.test(glob.charAt(index - 1)) && /^[/},]?$/.test(glob.charAt(index + stars))
      const matchesFolders = isGlobstar && glob.charAt(index + stars) === '/'
      source += matchesFolders ? '(?:[^/]+/)*' : isGlobstar ? '.*' : '[^/]*'
      consumedChars = matchesFolders ? stars + 1 : stars
    } else if (char === '?') source += '[^/]'
    else if (characterClass) {
      source += characterClass.source
      consumedChars = characterClass.length
    } else if (alternationIndexes.has(index)) source += char === '{' ? '(?:' : char === '}' ? ')' : '|'
    else if (char === '\\' && index + 1 < glob.length) {
      source += RE2JS.quote(glob.charAt(index + 1))
      consumedChars = 2
    } else source += RE2JS.quote(char)
    index += consumedChars
  }
  return source
}

/** Parses a character class such as `[abc]` or `[!a-z]`; null if the bracket is literal because it is never closed. */
function parseCharacterClass(
  glob: string,
  index: number,
): { readonly source: string; readonly length: number } | null {
  const [matched, negation = '', members] =
    /^\[([!^]?)(\]?[^\]/]*)\]/.exec(glob.slice(index, index + 200)) ?? []
  if (matched === undefined || members === undefined || members === '') return null
  const chars = members.replace(/[\\[\]^&~]/g, '\\$&')
  return { source: negation === '' ? `[${chars}]` : `[^/${chars}]`, length: matched.length }
}

/**
 * Indexes of the braces and commas that form alternatives such as `{a,b}`. Ignores unpaired braces, escaped characters
 * and character classes.
 */
function findAlternationIndexes(glob: string): ReadonlySet<number> {
  const openBraces: number[][] = []
  const indexes = new Set<number>()
  for (let index = 0; index < glob.length; index++) {
    const char = glob.charAt(index)
    if (char === '\\') index++
    else if (char === '[') index += (parseCharacterClass(glob, index)?.length ?? 1) - 1
    else if (char === '{') openBraces.push([index])
    else if (char === ',') openBraces.at(-1)?.push(index)
    else if (char === '}') {
      const pair = openBraces.pop()
      if (pair) for (const separator of [...pair, index]) indexes.add(separator)
    }
  }
  return indexes
}
