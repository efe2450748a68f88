// Reduces English words to a stem, so that a query matches other endings. Uses no dictionary.

const VOWEL = /[aeiouy]/
const DOUBLE = /([bdfgmnprt])\1$/

// Longest first in each list. The rest must keep three letters, so that short words do not change.
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

// By their last letter: most words have none of these endings, and an index stems hundreds of thousands.
const BY_LAST = new Map<string, (readonly [string, string])[]>()
for (const rule of SUFFIXES) {
  const last = rule[0].at(-1) ?? ''
  BY_LAST.set(last, [...(BY_LAST.get(last) ?? []), rule])
}

function plural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/**
 * `word`: lower case, without diacritics. Words in other alphabets, with digits, or of three letters are returned
 * unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const single = plural(word)
  for (const [from, to] of BY_LAST.get(single.at(-1) ?? '') ?? []) {
    if (!single.endsWith(from)) continue
    const before = single.slice(0, -from.length)
    if (before.length < 3 || !VOWEL.test(before)) continue
    // deploy is not a plural of deploi.
    if (from === 'y' && VOWEL.test(before.at(-1) ?? '')) continue
    const cut = before + to
    return to === '' && DOUBLE.test(cut) ? cut.slice(0, -1) : cut
  }
  return single
}
