// Tells a word that somebody may ask for from a key, a token or a password: what is in an index stays there, also when the
// version that it was taken from is purged. Words of letters alone are words, but for those that nobody can say.

import { SEARCH_TOKEN_RUN_CHARS, SEARCH_WORD_MAX_CHARS } from './limits.ts'

/** Letters and digits in one word: shorter ones are `k8s` and `mp3`, and no secret. */
const MIXED_MAX_CHARS = 4
// Of longer ones those that people say: a name with a version, a size or a standard's number.
const SAID =
  /^(?:oauth|openid|python|py|node|java|jdk|php|ruby|rails|react|vue|angular|html|css|http|es|ecma|web|sha|md|base|utf|int|uint|float|arm|amd|win|ipv|iso|rfc|cve|sheet|area|route|gpt|claude|llama)\d{1,5}$|^(?:log4j|neo4j|i18next|x8664)$/

/** For a word as it is folded. */
export function isTokenLike(word: string): boolean {
  // Other letters are spelled by people alone.
  if (!/^[a-z0-9]+$/.test(word)) return false
  if (word.length > SEARCH_WORD_MAX_CHARS || /[bcdfghj-np-tvwxz]{7}/.test(word)) return true
  return word.length > MIXED_MAX_CHARS && /[0-9]/.test(word) && /[a-z]/.test(word) && !SAID.test(word)
}

// What keys are written in, base64 and its kin included.
const RUNS = /[A-Za-z0-9+/=_.~-]+/g
const PARTS = /[A-Za-z0-9]+/g

/** A line without what looks like a token: its parts, too, where one of them gives it away. */
export function withoutTokens(line: string): string {
  return line.replace(RUNS, (run) => {
    const like = (part: string): boolean => changesCase(part) || isTokenLike(part.toLowerCase())
    if (run.length >= SEARCH_TOKEN_RUN_CHARS && run.match(PARTS)?.some(like)) return ' '
    return run.replace(PARTS, (part) => (like(part) ? ' ' : part))
  })
}

/** More often than the words of `getServerSideProps` do. */
function changesCase(part: string): boolean {
  if (part.length < 8) return false
  const changes = part.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
  return changes > part.length * 0.4
}
