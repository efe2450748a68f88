// Removes secrets from text that somebody will read: errors, details, log lines. Must never be the only
// protection.

const GONE = '[redacted]'

// Specific patterns come first, so that `authorization: Bearer abc` loses its token and not only its scheme.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g, GONE],
  [/\b(Bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${GONE}`],
  // "basic" is also an ordinary word, so what follows must look like base64 and not like prose.
  [/\b([Bb]asic|BASIC)\s+(?=[\w+/-]*(?:[\d=]|[a-z][A-Z]))[\w.~+/=-]{6,}/g, `$1 ${GONE}`],
  [/\bsk-[\w-]{12,}/g, GONE],
  [/\bsk_[\w-]{12,}/g, GONE],
  [/\bsatchel_[\da-z]{24,}/g, GONE],
  [/\b[rp]k_(?:live|test)_\w{8,}/g, GONE],
  [/\bwhsec_[\w+/=-]{8,}/g, GONE],
  [/\bgh[oprsu]_\w{16,}/g, GONE],
  [/\bgithub_pat_\w{16,}/g, GONE],
  [/\bglpat-[\w-]{16,}/g, GONE],
  [/\bnpm_[A-Za-z0-9]{16,}/g, GONE],
  [/\bxox[a-z]-[\w-]{8,}/g, GONE],
  [/\bxapp-[\w-]{8,}/g, GONE],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{12,}/g, GONE],
  [/\bAIza[\w-]{20,}/g, GONE],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, GONE],
  // `user:password@` in an address.
  [/\/\/[^\s/@"']+@/g, `//${GONE}@`],
  // A header or field that names a secret.
  [
    /\b(x-api-key|api[_-]?key|authorization|cookie|password|passwd|secret|(?:access|refresh|auth)[_-]?token)(["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\s"',;&]{6,}/gi,
    `$1$2${GONE}`,
  ],
]

/**
 * Returns the text without anything that looks like a secret. `known` are secrets of the caller that are
 * removed whatever they look like; those shorter than 8 characters are ignored.
 */
export function redact(text: string, known: readonly string[] = []): string {
  let out = text
  for (const secret of known) if (secret.length >= 8) out = out.replaceAll(secret, GONE)
  for (const [pattern, replacement] of PATTERNS) out = out.replace(pattern, replacement)
  return out
}
