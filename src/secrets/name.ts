// The rules for a secret's name, its value, and the host to which it is bound.

import { SECRET_MAX_CHARS } from '../limits/settings.ts'
import { SECRET_MIN_CHARS } from './limits.ts'

export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/**
 * Why this value cannot be a secret, without quoting it; null if it can. It must be valid in a header and long enough
 * to be masked.
 */
export function valueFault(value: string): string | null {
  if (value.length < SECRET_MIN_CHARS || value.length > SECRET_MAX_CHARS)
    return `must have ${SECRET_MIN_CHARS} to ${SECRET_MAX_CHARS} characters`
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value))
    return 'must consist of visible ASCII characters on one line, without spaces at the start or end'
  return null
}

/** Why this is not the host of a URL, or null if it is. A host includes the port unless the port is the scheme's default. */
export function hostFault(host: string): string | null {
  const example = 'must be the host of a URL, such as api.example.com or 127.0.0.1:4010'
  if (host === '' || /[\s/?#@\\]/.test(host) || !URL.canParse(`https://${host}/`)) return example
  const { host: normalizedHost } = new URL(`https://${host}/`)
  return normalizedHost === host ? null : `${example}; write this one as ${normalizedHost}`
}
