// Rules for a secret's name, its value, and the host it may be bound to. Does not interpret values.

import { SECRET_MAX_CHARS } from '../limits/settings.ts'
import { SECRET_MIN_CHARS } from './limits.ts'

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/**
 * Why this cannot be a secret, without quoting it; null if it can. It must be valid in a header, and long enough to be masked.
 */
export function valueFault(value: string): string | null {
  if (value.length < SECRET_MIN_CHARS || value.length > SECRET_MAX_CHARS)
    return `must have ${SECRET_MIN_CHARS} to ${SECRET_MAX_CHARS} characters`
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value))
    return 'must be visible ASCII on one line, without spaces around it'
  return null
}

/** Why this is not a host as in a URL; null if it is one, with a port unless it is the scheme's default. */
export function hostFault(host: string): string | null {
  const example = 'must be a host as in a URL, such as api.example.com or 127.0.0.1:4010'
  if (host === '' || /[\s/?#@\\]/.test(host) || !URL.canParse(`https://${host}/`)) return example
  const { host: written } = new URL(`https://${host}/`)
  return written === host ? null : `${example}; this one is written ${written}`
}
