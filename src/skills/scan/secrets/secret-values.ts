// Tells a value that could be a secret from a placeholder, an expression or a name. Keeps and returns no value.

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|…|changeme|change[-_]me|placeholder|test|dummy|fake|none|null|true|false|undefined|redacted|required|optional|string|sample|secret|password|token)$|^[<$%{([]|x{4}|\*{3}|\.{3}|…|your|example|placeholder|change[-_]?me|replace|redacted|dummy|insert|xxx/i

/** What people write where a secret will go. The reference's list, and a little of what real skills write. */
export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value)
}

const SEQUENCE =
  /123456|abc123|secret|api_?key|password|placeholder|abcdef|ABCDEF|fedcba|987654|a1b2c3|qwerty|deadbeef|(.)\1{4}|(?:sample|secret|token|key|test|demo|mock|foo|bar|value|hash|abc123|abc)(?=[-_.]|$)|(?:^|[-_.])(?:sample|secret|token|key|test|demo|mock|foo|bar|abc)(?:[-_.]|$)/i
/** A key that is made by chance has more kinds of characters. */
const KINDS_MIN = 8

/** Written by hand to look like a key: a word, a row of the keyboard, the same few characters over and over. */
export function isInvented(value: string): boolean {
  return SEQUENCE.test(value) || new Set(value).size < KINDS_MIN
}

// `token_count`, `secretName`, `api_key_header` …: they say something about a secret, they are none.
const ABOUT =
  /^(?:s?[_-]?(?:name|id|url|uri|path|file|dir|type|field|header|env|var|count|limit|len|length|size|ttl|expir|prefix|suffix|pattern|regex|arn|ref|label|version|format|model|usage|budget|window|provider|manager|store|scope|auth_method|policy|endpoint|hash|ization|izer|ize))/i
const PLAIN_WORDS = /^[A-Za-z]+(?:[_\-.:/ ]+[A-Za-z]+)*$/

export interface Assignment {
  /** The text between the keyword and the operator: `_id` of `token_id`. */
  readonly rest: string
  readonly value: string
}

/** Shorter values are names, versions and examples nearly always. */
const SECRET_CHARS = 16

/** True when a value that is assigned to something called a secret looks like one. */
export function looksSecret({ rest, value }: Assignment): boolean {
  if (value.length < 6 || value.length > 300 || ABOUT.test(rest) || isPlaceholder(value)) return false
  // Expressions, paths, URLs, templates, look-ups: their value is not in the text.
  if (/[\s()[\]{}<>$`\\|]|:\/\/|^[/~.@#&%!-]|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false
  if (PLAIN_WORDS.test(value) || isInvented(value)) return false
  return value.length >= SECRET_CHARS && /[A-Za-z]/.test(value) && /[0-9]/.test(value)
}
