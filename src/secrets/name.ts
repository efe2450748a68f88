// What a secret may be called, what its value may be, and which host it may be bound to. Knows no value's meaning.

import { SECRET_MAX_CHARS } from '../limits/settings.ts'
import { SECRET_MIN_CHARS } from './limits.ts'

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Why this cannot be a secret, without a word of it; null: it can. It has to fit into a header, and be long enough to be masked. */
export function valueFault(value: string): string | null {
  if (value.length < SECRET_MIN_CHARS || value.length > SECRET_MAX_CHARS)
    return `must have ${SECRET_MIN_CHARS} to ${SECRET_MAX_CHARS} characters`
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value))
    return 'must be visible ASCII on one line, without blanks around it'
  return null
}

/** Why this is no host as a URL names it; null: it is one, with a port where that is not the scheme's own. */
export function hostFault(host: string): string | null {
  const example = 'must be a host as it stands in a URL, such as api.example.com or 127.0.0.1:4010'
  if (host === '' || /[\s/?#@\\]/.test(host) || !URL.canParse(`https://${host}/`)) return example
  const { host: written } = new URL(`https://${host}/`)
  return written === host ? null : `${example}; this one is written ${written}`
}
