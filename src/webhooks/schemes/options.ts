// Checks how a hook's sender signs, for the scheme `hmac`.

import type { HmacOptions, SchemeName } from './scheme.ts'

/** Why the options cannot work, with the fix; null if they can. */
export function checkSignature(hook: {
  readonly scheme: SchemeName
  readonly signature: HmacOptions | null
}): string | null {
  const { scheme, signature } = hook
  if (scheme !== 'hmac') return signature === null ? null : 'is only for the scheme "hmac"; leave it out'
  if (signature === null)
    return 'is required for the scheme "hmac": {"header": "X-Signature"} and how it is made'
  const { signed, timestamp, id } = signature
  const names: readonly string[] = signed.match(/\{[^}]*\}/g) ?? []
  if (names.filter((name) => name === '{body}').length !== 1) return 'signed must contain {body} once'
  if (new Set(names).size !== names.length || names.some((name) => !PARTS.includes(name)))
    return `signed may contain each of ${PARTS.join(', ')} once`
  if ((timestamp !== null) !== names.includes('{timestamp}'))
    return 'timestamp and {timestamp} in signed must be given together: a time that is not signed proves nothing'
  if (names.includes('{id}') && !(id !== null && 'header' in id)) return '{id} in signed needs id.header'
  return isAmbiguous(signed)
    ? 'signed needs a separator between its parts, such as a period: for {id}, it cannot be a letter, a digit, "-" or "_"; for {timestamp}, a digit'
    : null
}

const PARTS = ['{timestamp}', '{id}', '{body}']

/**
 * Whether the same signed bytes could be split in another way, into another ID or time with another body: if a part does not
 * end, on the side of the body, at a character that it cannot contain.
 */
function isAmbiguous(signed: string): boolean {
  const [before = '', after = ''] = signed.split('{body}')
  return (
    /\}\{/.test(signed) ||
    /\{id\}(?![^\w-])|\{timestamp\}(?!\D)/.test(before) ||
    /(?<![^\w-])\{id\}|(?<!\D)\{timestamp\}/.test(after)
  )
}
