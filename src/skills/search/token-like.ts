// Distinguishes searchable words from keys, tokens and passwords, which must not get into an index, because an index
// keeps its terms even after a purge. Words of only letters are searchable unless they are unpronounceable.

import { SEARCH_TOKEN_RUN_MIN_CHARS, SEARCH_WORD_MAX_CHARS } from './limits.ts'

/** Words of letters and digits that are this short, such as `k8s` and `mp3`, are never secrets. */
const MIXED_MAX_CHARS = 4
// Longer words of letters and digits that people use: a name with a version, a size or the number of a standard.
const KNOWN_NAME =
  /^(?:oauth|openid|python|py|node|java|jdk|php|ruby|rails|react|vue|angular|html|css|http|es|ecma|web|sha|md|base|utf|int|uint|float|arm|amd|win|ipv|iso|rfc|cve|sheet|area|route|gpt|claude|llama)\d{1,5}$|^(?:log4j|neo4j|i18next|x8664)$/

/** Whether a folded word may be a key, a token or a password. */
export function isTokenLike(word: string): boolean {
  // Words with other characters are not keys.
  if (!/^[a-z0-9]+$/.test(word)) return false
  if (word.length > SEARCH_WORD_MAX_CHARS || /[bcdfghj-np-tvwxz]{7}/.test(word)) return true
  return word.length > MIXED_MAX_CHARS && /[0-9]/.test(word) && /[a-z]/.test(word) && !KNOWN_NAME.test(word)
}

// Runs of characters that keys contain, including those of base64 and its variants.
const RUNS = /[A-Za-z0-9+/=_.~-]+/g
const PARTS = /[A-Za-z0-9]+/g

/** The line without text that looks like a token, and without the text directly around it. */
export function withoutTokens(line: string): string {
  return line.replace(RUNS, (run) => {
    const isSecret = (part: string): boolean => changesCase(part) || isTokenLike(part.toLowerCase())
    if (run.length >= SEARCH_TOKEN_RUN_MIN_CHARS && run.match(PARTS)?.some(isSecret)) return ' '
    return run.replace(PARTS, (part) => (isSecret(part) ? ' ' : part))
  })
}

/** Whether the case changes more often than in identifiers such as `getServerSideProps`. */
function changesCase(part: string): boolean {
  if (part.length < 8) return false
  const changes = part.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
  return changes > part.length * 0.4
}
