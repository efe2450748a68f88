// Removes secrets from text that somebody will read: errors, details, log lines. Must never be the only
// protection.

const REDACTED = '[redacted]'

// Specific patterns come first, so that `authorization: Bearer abc` loses its token and not only its scheme.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, REDACTED],
  [/\b(Bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  // "basic" is also an ordinary word, so what follows must look like base64 and not like prose.
  [/\b([Bb]asic|BASIC)\s+(?=[\w+/-]*(?:[\d=]|[a-z][A-Z]))[\w.~+/=-]{6,}/g, `$1 ${REDACTED}`],
  [/\bsk-[\w-]{12,}/g, REDACTED],
  [/\bsk_[\w-]{12,}/g, REDACTED],
  [/\bsatchel_[\da-z]{24,}/g, REDACTED],
  [/\b[rp]k_(?:live|test)_\w{8,}/g, REDACTED],
  [/\bwhsec_[\w+/=-]{8,}/g, REDACTED],
  [/\bgh[oprsu]_\w{16,}/g, REDACTED],
  [/\bgithub_pat_\w{16,}/g, REDACTED],
  [/\bglpat-[\w-]{16,}/g, REDACTED],
  [/\bnpm_[A-Za-z0-9]{16,}/g, REDACTED],
  [/\bxox[a-z]-[\w-]{8,}/g, REDACTED],
  [/\bxapp-[\w-]{8,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g, REDACTED],
  [/\bAIza[\w-]{20,}/g, REDACTED],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, REDACTED],
  // `user:password@` in an address.
  [/\/\/[^\s/@"']+@/g, `//${REDACTED}@`],
  // A header or field that names a secret.
  [
    /\b(x-api-key|api[_-]?key|authorization|cookie|password|passwd|secret|(?:access|refresh|auth)[_-]?token)(["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\s"',;&]{6,}/gi,
    `$1$2${REDACTED}`,
  ],
]

/**
 * Returns the text without anything that looks like a secret, and without `knownSecrets` of at least 8
 * characters, whatever they look like.
 */
export function redact(text: string, knownSecrets: readonly string[] = []): string {
  let redacted = text
  for (const secret of knownSecrets) if (secret.length >= 8) redacted = redacted.replaceAll(secret, REDACTED)
  for (const [pattern, replacement] of PATTERNS) redacted = redacted.replace(pattern, replacement)
  return redacted
}

/** V8 quotes the text that it cannot parse. */
const QUOTED_JSON = /(?:\.{3})?"[\s\S]*"(?:\.{3})? is not valid JSON/g

/** What a log line says about an exception: no secrets, and none of the text that an error of JSON quotes. */
export function logText(error: unknown): string {
  return redact(String(error).replace(QUOTED_JSON, 'the text is not valid JSON'))
}
