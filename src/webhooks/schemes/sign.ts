// Signs a delivery as its sender would, to try a hook: the counterpart of the verifiers, for a test from the server and from
// the command line.

import { Webhook } from 'standardwebhooks'
import { base64, hex, utf8 } from '../../lib/bytes.ts'
import type { HmacOptions, SchemeName } from './scheme.ts'

export interface SigningHook {
  readonly scheme: SchemeName
  /** For `hmac`. */
  readonly signature: HmacOptions | null
  readonly secret: string
}

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * `id` becomes the delivery's ID where the sender has one outside of the body. `now` is in epoch milliseconds; Linear has the
 * time in the body, so it is set there.
 */
export async function signDelivery(
  hook: SigningHook,
  body: string,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<SignedDelivery> {
  const seconds = String(Math.floor(now / 1000))
  const sent = hook.scheme === 'linear' ? withTime(body, now) : body
  const headers = await headersOf(hook, sent, id, seconds)
  return { headers: { 'content-type': 'application/json', ...headers }, body: sent }
}

async function headersOf(
  { scheme, secret, signature }: SigningHook,
  body: string,
  id: string,
  seconds: string,
): Promise<Record<string, string>> {
  const mac = (text: string): Promise<string> => hmac('SHA-256', 'hex', secret, text)
  switch (scheme) {
    case 'standard':
      return standard(secret, body, id, seconds)
    case 'gitlab':
      return secret.startsWith('whsec_')
        ? standard(secret, body, id, seconds)
        : { 'x-gitlab-token': secret, 'idempotency-key': id }
    case 'github':
      return { 'x-hub-signature-256': `sha256=${await mac(body)}`, 'x-github-delivery': id }
    case 'slack':
      return {
        'x-slack-request-timestamp': seconds,
        'x-slack-signature': `v0=${await mac(`v0:${seconds}:${body}`)}`,
      }
    case 'stripe':
      return { 'stripe-signature': `t=${seconds},v1=${await mac(`${seconds}.${body}`)}` }
    case 'linear':
      return { 'linear-signature': await mac(body), 'linear-delivery': id }
    case 'pagerduty':
      return { 'x-pagerduty-signature': `v1=${await mac(body)}` }
    case 'hmac':
      return signature ? custom(signature, secret, body, id, seconds) : {}
    case 'bearer':
      return { authorization: `Bearer ${secret}` }
    case 'basic':
      return { authorization: `Basic ${base64(utf8(secret))}` }
  }
}

function standard(secret: string, body: string, id: string, seconds: string): Record<string, string> {
  const signature = new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), body)
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
}

const HASHES = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const

async function custom(
  { algorithm, header, prefix, encoding, signed, timestamp, id: idSource }: HmacOptions,
  secret: string,
  body: string,
  id: string,
  seconds: string,
): Promise<Record<string, string>> {
  const fill = (text: string): string => text.replace('{timestamp}', seconds).replace('{id}', id)
  const [before = '', after = ''] = signed.split('{body}')
  const value = await hmac(HASHES[algorithm], encoding, secret, fill(before) + body + fill(after))
  return {
    [header.toLowerCase()]: prefix + value,
    ...(timestamp && { [timestamp.header.toLowerCase()]: seconds }),
    ...(idSource && 'header' in idSource && { [idSource.header.toLowerCase()]: id }),
  }
}

async function hmac(
  hash: (typeof HASHES)[keyof typeof HASHES],
  encoding: 'hex' | 'base64',
  secret: string,
  text: string,
): Promise<string> {
  const key = await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash }, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text)))
  return encoding === 'hex' ? hex(bytes) : base64(bytes)
}

/** The body with the time that Linear signs. A body that is not a JSON object stays as it is. */
function withTime(body: string, now: number): string {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return body
    return JSON.stringify({ ...value, webhookTimestamp: now })
  } catch {
    return body
  }
}
