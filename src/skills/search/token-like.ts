// Tells searchable words from keys, tokens and passwords, because an index keeps its terms even when the version is
// purged. Words of letters alone are kept, unless they are unpronounceable.

import { SEARCH_TOKEN_RUN_CHARS, SEARCH_WORD_MAX_CHARS } from './limits.ts'

/** Characters of a word with letters and digits: shorter ones such as `k8s` and `mp3` are never secrets. */
const MIXED_MAX_CHARS = 4
// Longer ones that people use: a name with a version, a size or a standard's number.
const PRONOUNCED =
  /^(?:oauth|openid|python|py|node|java|jdk|php|ruby|rails|react|vue|angular|html|css|http|es|ecma|web|sha|md|base|utf|int|uint|float|arm|amd|win|ipv|iso|rfc|cve|sheet|area|route|gpt|claude|llama)\d{1,5}$|^(?:log4j|neo4j|i18next|x8664)$/

/** `word`: folded. */
export function isTokenLike(word: string): boolean {
  // Keys contain no other letters.
  if (!/^[a-z0-9]+$/.test(word)) return false
  if (word.length > SEARCH_WORD_MAX_CHARS || /[bcdfghj-np-tvwxz]{7}/.test(word)) return true
  return word.length > MIXED_MAX_CHARS && /[0-9]/.test(word) && /[a-z]/.test(word) && !PRONOUNCED.test(word)
}

// The characters of keys, including base64 and its variants.
const RUNS = /[A-Za-z0-9+/=_.~-]+/g
const PARTS = /[A-Za-z0-9]+/g

/** A line without text that looks like a token, including its neighbouring parts. */
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
