// Reduces English words to a stem, so that a query also matches words with other endings. Uses no dictionary.

const VOWEL = /[aeiouy]/
const DOUBLE = /([bdfgmnprt])\1$/

// For each final letter, longer suffixes come first. A suffix is replaced only after at least three letters, so that
// short words do not change.
const SUFFIXES: readonly (readonly [from: string, to: string])[] = [
  ['ization', 'iz'],
  ['isation', 'iz'],
  ['ational', 'at'],
  ['ibility', 'ibl'],
  ['ability', 'abl'],
  ['fulness', 'ful'],
  ['iveness', 'iv'],
  ['yzing', 'ys'],
  ['izing', 'iz'],
  ['ising', 'iz'],
  ['izer', 'iz'],
  ['iser', 'iz'],
  ['yzed', 'ys'],
  ['yzer', 'ys'],
  ['ysis', 'ys'],
  ['yses', 'ys'],
  ['ized', 'iz'],
  ['ised', 'iz'],
  ['ation', 'at'],
  ['ators', 'at'],
  ['ator', 'at'],
  ['ating', 'at'],
  ['ated', 'at'],
  ['ative', 'at'],
  ['ments', ''],
  ['ment', ''],
  ['ings', ''],
  ['ness', ''],
  ['ible', 'ibl'],
  ['able', 'abl'],
  ['ions', ''],
  ['ing', ''],
  ['ion', ''],
  ['ers', ''],
  ['ors', ''],
  ['ize', 'iz'],
  ['ise', 'iz'],
  ['yze', 'ys'],
  ['yse', 'ys'],
  ['ate', 'at'],
  ['ive', 'iv'],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ed', ''],
  ['er', ''],
  ['or', ''],
  ['ly', ''],
  ['es', ''],
  ['al', ''],
  ['ic', ''],
  ['e', ''],
  ['s', ''],
  ['y', 'i'],
]

// The suffixes by their last letter. An index stems hundreds of thousands of words, and most have no such suffix.
const SUFFIXES_BY_LAST_LETTER = new Map<string, (readonly [string, string])[]>()
for (const rule of SUFFIXES) {
  const last = rule[0].at(-1) ?? ''
  SUFFIXES_BY_LAST_LETTER.set(last, [...(SUFFIXES_BY_LAST_LETTER.get(last) ?? []), rule])
}

function singularOf(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/**
 * The stem of a word, which must be in lower case and without diacritics. Returns words unchanged if they are in other
 * alphabets, contain digits or have fewer than four letters.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = singularOf(word)
  for (const [from, to] of SUFFIXES_BY_LAST_LETTER.get(singular.at(-1) ?? '') ?? []) {
    if (!singular.endsWith(from)) continue
    const before = singular.slice(0, -from.length)
    if (before.length < 3 || !VOWEL.test(before)) continue
    // Keeps the y of "deploy", where it is not a suffix.
    if (from === 'y' && VOWEL.test(before.at(-1) ?? '')) continue
    const stemmed = before + to
    return to === '' && DOUBLE.test(stemmed) ? stemmed.slice(0, -1) : stemmed
  }
  return singular
}
