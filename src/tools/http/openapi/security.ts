// Converts the security requirements of an OpenAPI operation to headers and query fields that refer to secrets.

import { isObject } from '../../../lib/json-object.ts'
import type { Schema } from '../input-schema.ts'
import { objectAt, textAt, Unusable } from './document.ts'

export interface Security {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

const NO_SECURITY: Security = { headers: {}, query: {} }

/** Uses the first supported alternative, and notes which secret to store. Throws Unusable if none is supported. */
export function securityOf(document: Schema, operation: Schema, notes: Set<string>): Security {
  const required = operation['security'] ?? document['security']
  if (!Array.isArray(required) || required.length === 0) return NO_SECURITY
  const faults: string[] = []
  for (const alternative of required) {
    if (!isObject(alternative)) continue
    const alternativeNotes = new Set<string>()
    try {
      const schemes = Object.keys(alternative).map((name) => schemeOf(document, name, alternativeNotes))
      for (const note of alternativeNotes) notes.add(note)
      return {
        headers: Object.assign({}, ...schemes.map(({ headers }) => headers)),
        query: Object.assign({}, ...schemes.map(({ query }) => query)),
      }
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      faults.push(error.message)
    }
  }
  throw new Unusable(faults[0] ?? 'has an invalid security requirement')
}

/** Derives the name of a secret: `bearerAuth` becomes `BEARER_AUTH`. */
function secretName(scheme: string): string {
  const name = scheme
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+|_+$/g, '')
    .toUpperCase()
  return (name === '' ? 'KEY' : name).slice(0, 64)
}

function schemeOf(document: Schema, name: string, notes: Set<string>): Security {
  const components = isObject(document['components']) ? document['components'] : {}
  const schemes = isObject(components['securitySchemes']) ? components['securitySchemes'] : {}
  const scheme = Object.hasOwn(schemes, name) ? objectAt(document, schemes[name]) : null
  if (!scheme) throw new Unusable(`requires the security scheme ${name.slice(0, 80)}, which does not exist`)
  const secret = secretName(name)
  const value = `{{secrets.${secret}}}`
  const kind = textAt(scheme, 'type')
  const field = textAt(scheme, 'name') ?? ''
  const location = textAt(scheme, 'in')
  notes.add(`Store the secret ${secret}${secretFormat(kind, textAt(scheme, 'scheme'))}.`)
  if (kind === 'apiKey' && location === 'header') return { headers: { [field]: value }, query: {} }
  if (kind === 'apiKey' && location === 'query') return { headers: {}, query: { [field]: value } }
  if (kind === 'apiKey' && location === 'cookie')
    return { headers: { Cookie: `${field}=${value}` }, query: {} }
  if (kind === 'oauth2' || kind === 'openIdConnect')
    return { headers: { Authorization: `Bearer ${value}` }, query: {} }
  const http = textAt(scheme, 'scheme')?.toLowerCase()
  if (kind === 'http' && http === 'bearer')
    return { headers: { Authorization: `Bearer ${value}` }, query: {} }
  if (kind === 'http' && http === 'basic') return { headers: { Authorization: `Basic ${value}` }, query: {} }
  throw new Unusable(`requires the security scheme ${name.slice(0, 80)}, whose type is not supported`)
}

/** The format of the secret, as the end of a sentence; empty if it is obvious. */
function secretFormat(kind: string | null, scheme: string | null): string {
  if (kind === 'http' && scheme?.toLowerCase() === 'basic') return ': base64 of user:password'
  if (kind === 'oauth2' || kind === 'openIdConnect') return ': an access token that you obtain elsewhere'
  return ''
}
