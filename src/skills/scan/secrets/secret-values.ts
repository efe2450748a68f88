// Distinguishes values that could be secrets from placeholders, expressions and names. Neither stores nor
// returns a value.

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|…|changeme|change[-_]me|placeholder|test|dummy|fake|none|null|true|false|undefined|redacted|required|optional|string|sample|secret|password|token)$|^[<$%{([]|x{4}|\*{3}|\.{3}|…|your|example|placeholder|change[-_]?me|replace|redacted|dummy|insert|xxx/i

/** True for text that people write in place of a secret. Based on deer-flow's list and on real skills. */
export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value)
}

const INVENTED_TEXT =
  /123456|abc123|secret|api_?key|password|placeholder|abcdef|ABCDEF|fedcba|987654|a1b2c3|qwerty|deadbeef|(.)\1{4}|(?:sample|secret|token|key|test|demo|mock|foo|bar|value|hash|abc123|abc)(?=[-_.]|$)|(?:^|[-_.])(?:sample|secret|token|key|test|demo|mock|foo|bar|abc)(?:[-_.]|$)/i
/** A random key has at least this many different characters. */
const DISTINCT_CHARS_MIN = 8

/** True for an invented key: a word, a keyboard sequence, or a few repeated characters. */
export function isInvented(value: string): boolean {
  return INVENTED_TEXT.test(value) || new Set(value).size < DISTINCT_CHARS_MIN
}

// Names such as `token_count`, `secretName` and `api_key_header`, which describe a secret but do not hold
// one.
const DESCRIBES_SECRET =
  /^(?:s?[_-]?(?:name|id|url|uri|path|file|dir|type|field|header|env|var|count|limit|len|length|size|ttl|expir|prefix|suffix|pattern|regex|arn|ref|label|version|format|model|usage|budget|window|provider|manager|store|scope|auth_method|policy|endpoint|hash|ization|izer|ize))/i
const PLAIN_WORDS = /^[A-Za-z]+(?:[_\-.:/ ]+[A-Za-z]+)*$/

export interface AssignedText {
  /** The text between the keyword and the operator: `_id` of `token_id`. */
  readonly suffix: string
  readonly value: string
}

/** Minimum length of a secret. Shorter values are nearly always names, versions or examples. */
const SECRET_MIN_CHARS = 16
/** Maximum length of a value that is reported as a secret. */
const SECRET_MAX_CHARS = 300

/** True if a value that is assigned to a secret-sounding name looks like a secret. */
export function looksLikeSecret({ suffix, value }: AssignedText): boolean {
  if (value.length < SECRET_MIN_CHARS || value.length > SECRET_MAX_CHARS) return false
  if (DESCRIBES_SECRET.test(suffix) || isPlaceholder(value)) return false
  // Expressions, paths, URLs, templates, look-ups and names of environment variables are not secrets.
  if (/[\s()[\]{}<>$`\\|]|:\/\/|^[/~.@#&%!-]|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false
  if (PLAIN_WORDS.test(value) || isInvented(value)) return false
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value)
}
