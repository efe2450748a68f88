// How known senders sign. Each row names the sender's documentation that it follows.

import { err, ok, type Result } from '../../lib/result.ts'
import { WEBHOOK_SIGNATURES_MAX, WEBHOOK_TIMESTAMP_TOLERANCE_S } from './limits.ts'
import { textAtPath } from './payload.ts'
import { plainId, signedId } from './ids.ts'
import type { SignatureClaim, MacRow } from './mac.ts'
import { checkTimestamp, singleHeader, type DeliveryHeaders } from './scheme.ts'

const PONG = { contentType: 'application/json', body: '{"ok":true}' }
const HEX = /^[0-9a-f]{64}$/

const VERSIONED = /^[a-z]+\d*=[A-Za-z0-9]+$/

/** The signatures `<version>=<hex>` of a list. Other versions are skipped. */
function versioned(name: string, parts: readonly string[], version: string): Result<string[], string> {
  if (parts.length > WEBHOOK_SIGNATURES_MAX) return err(`${name} contains too many signatures`)
  if (!parts.every((part) => VERSIONED.test(part))) return err(`${name} is malformed or sent more than once`)
  const found = parts
    .filter((part) => part.startsWith(`${version}=`))
    .map((part) => part.slice(version.length + 1))
    .filter((part) => HEX.test(part))
  return found.length > 0 ? ok(found) : err(`${name} contains no ${version} signature`)
}

/** A claim of one header that contains one signature after a prefix, over the body alone. */
function bodyClaim(headers: DeliveryHeaders, name: string, prefix = ''): Result<SignatureClaim, string> {
  const header = singleHeader(headers, name)
  if (!header.ok) return header
  const signature = header.value.startsWith(prefix) ? header.value.slice(prefix.length) : ''
  return HEX.test(signature) ? ok({ signatures: [signature], before: '' }) : err(`${name} is not a signature`)
}

const SHA256_HEX = { hash: 'SHA-256', encoding: 'hex' } as const

/** docs.github.com: "Validating webhook deliveries". The ID of a delivery is not signed. */
const GITHUB: MacRow = {
  ...SHA256_HEX,
  claim: (headers) => bodyClaim(headers, 'x-hub-signature-256', 'sha256='),
  id: (headers) => plainId(headers, 'x-github-delivery'),
  // A ping has a text `zen`. Its event's name is in a header that is not signed.
  handshake: (headers, payload) =>
    headers['x-github-event'] === 'ping' && textAtPath(payload, ['zen']) !== '' ? PONG : null,
}

/** docs.slack.dev: "Verifying requests from Slack". Events have an ID; commands and actions a trigger's. */
const SLACK: MacRow = {
  ...SHA256_HEX,
  claim(headers, now) {
    const time = singleHeader(headers, 'x-slack-request-timestamp')
    const timestamp = time.ok ? checkTimestamp('x-slack-request-timestamp', time.value, now) : time
    if (!timestamp.ok) return timestamp
    const signature = bodyClaim(headers, 'x-slack-signature', 'v0=')
    return signature.ok ? ok({ ...signature.value, before: `v0:${timestamp.value}:` }) : signature
  },
  id: (_, payload) => signedId(payload, ['event_id']) ?? signedId(payload, ['trigger_id']),
  handshake(_, payload) {
    if (textAtPath(payload, ['ssl_check']) === '1') return PONG
    if (textAtPath(payload, ['type']) !== 'url_verification') return null
    return { contentType: 'text/plain; charset=utf-8', body: textAtPath(payload, ['challenge']) }
  },
}

/** docs.stripe.com: "Verify webhook signatures". The secret is used as text. */
const STRIPE: MacRow = {
  ...SHA256_HEX,
  claim(headers, now) {
    const header = singleHeader(headers, 'stripe-signature')
    if (!header.ok) return header
    const parts = header.value.split(',', WEBHOOK_SIGNATURES_MAX + 2)
    const times = parts.filter((part) => part.startsWith('t='))
    if (times.length !== 1) return err('stripe-signature must contain one timestamp')
    const timestamp = checkTimestamp('stripe-signature', times[0]?.slice(2) ?? '', now)
    if (!timestamp.ok) return timestamp
    const signatures = versioned(
      'stripe-signature',
      parts.filter((part) => !part.startsWith('t=')),
      'v1',
    )
    return signatures.ok ? ok({ signatures: signatures.value, before: `${timestamp.value}.` }) : signatures
  },
  id: (_, payload) => signedId(payload, ['id']),
}

/** linear.app/developers/webhooks: the time is in the signed body, the delivery's ID in a header that is not signed. */
const LINEAR: MacRow = {
  ...SHA256_HEX,
  claim: (headers) => bodyClaim(headers, 'linear-signature'),
  check(payload, now) {
    const age = now - Number(textAtPath(payload, ['webhookTimestamp']) || Number.NaN)
    return Math.abs(age) <= WEBHOOK_TIMESTAMP_TOLERANCE_S * 1000
      ? ok(null)
      : err('webhookTimestamp is missing or differs too much from the current time')
  },
  id: (headers) => plainId(headers, 'linear-delivery'),
}

/** developer.pagerduty.com: "Verifying signatures" of V3 webhooks. */
const PAGERDUTY: MacRow = {
  ...SHA256_HEX,
  claim(headers) {
    const header = singleHeader(headers, 'x-pagerduty-signature')
    if (!header.ok) return header
    const parts = header.value.split(',', WEBHOOK_SIGNATURES_MAX + 1)
    const signatures = versioned('x-pagerduty-signature', parts, 'v1')
    return signatures.ok ? ok({ signatures: signatures.value, before: '' }) : signatures
  },
  id: (_, payload) => signedId(payload, ['event', 'id']),
  handshake: (_, payload) => (textAtPath(payload, ['event', 'event_type']) === 'pagey.ping' ? PONG : null),
}

export const SENDERS = { github: GITHUB, slack: SLACK, stripe: STRIPE, linear: LINEAR, pagerduty: PAGERDUTY }
