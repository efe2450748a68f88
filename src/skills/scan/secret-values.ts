// Tells a value that could be a secret from a placeholder, an expression or a name. Keeps and returns no value.

const PLACEHOLDER =
  /^(?:x+|\*+|\.+|…|changeme|change[-_]me|placeholder|test|dummy|fake|none|null|true|false|undefined|redacted|required|optional|string|sample|secret|password|token)$|^[<$%{([]|x{4}|\*{3}|\.{3}|…|your|example|placeholder|change[-_]?me|replace|redacted|dummy|insert|xxx/i

/** What people write where a secret will go. The reference's list, and a little of what real skills write. */
export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value)
}

// `token_count`, `secretName`, `api_key_header` …: they say something about a secret, they are none.
const ABOUT =
  /^(?:s?[_-]?(?:name|id|url|uri|path|file|dir|type|field|header|env|var|count|limit|len|length|size|ttl|expir|prefix|suffix|pattern|regex|arn|ref|label|version|format|model|usage|budget|window|provider|manager|store|scope|auth_method|policy|endpoint|hash|ization|izer|ize))/i
const WORDS = /^[A-Za-z]+(?:[_\-.:/ ]+[A-Za-z]+)*$/

export interface Assignment {
  /** What stands between the keyword and the operator: `_id` of `token_id`. */
  readonly rest: string
  readonly keyword: string
  readonly operator: ':' | '='
  readonly value: string
  readonly quoted: boolean
}

/** True when a value that is assigned to something called a secret looks like one. */
export function looksSecret({ rest, keyword, operator, value, quoted }: Assignment): boolean {
  if (value.length < 6 || value.length > 300 || ABOUT.test(rest) || isPlaceholder(value)) return false
  // Expressions, paths, URLs, templates, look-ups: what they yield does not stand here.
  if (/[\s()[\]{}<>$`\\|]|:\/\/|^[/~.@#&%!-]|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)) return false
  if (WORDS.test(value))
    return quoted && operator === '=' && /^passw/i.test(keyword) && /^[a-z]{8,}$/i.test(value)
  if (!/[A-Za-z]/.test(value)) return false
  return quoted ? /[0-9]/.test(value) || value.length >= 16 : /[0-9]/.test(value) && value.length >= 8
}
