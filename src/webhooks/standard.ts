// Verifies deliveries by the Standard Webhooks scheme, over raw bytes. Only the operator learns why a
// delivery is refused. Stores nothing.

import { Webhook } from 'standardwebhooks'
import { base64, equalInConstantTime, fromUtf8, utf8 } from '../lib/bytes.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { WEBHOOK_ID_MAX_CHARS, WEBHOOK_SIGNATURES_MAX, WEBHOOK_TIMESTAMP_TOLERANCE_S } from './limits.ts'
import { secretKey } from './secret.ts'

const VISIBLE_ASCII = /^[\x21-\x7E]+$/
const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/
// 32 bytes in padded base64. Other versions and malformed signatures are skipped.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/
// The signed text joins its parts with periods. If an ID could contain a timestamp after a period, the same
// signed bytes could be read as a shorter ID with that timestamp and a longer body: an authentic delivery
// under a new ID.
const TIMESTAMP_IN_ID = /\.\d{9,12}(?:\.|$)/

/** The same response for every reason, so that the sender learns nothing. */
export const NOT_VERIFIED = fail('unauthenticated', 'The delivery could not be verified.')

/** The validated headers of a delivery. */
interface ClaimedDelivery {
  readonly webhookId: string
  readonly seconds: number
  /** Only signatures of version 1. */
  readonly signatures: readonly string[]
}

/** Checks everything that needs neither the body nor the secret. Errors are as in verifyStandard(). */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): Result<ClaimedDelivery, string> {
  const id = header(headers, 'webhook-id')
  if (!id.ok) return id
  if (id.value.length > WEBHOOK_ID_MAX_CHARS) return err('webhook-id is too long')
  if (!VISIBLE_ASCII.test(id.value)) return err('webhook-id is not visible ASCII without spaces')
  if (TIMESTAMP_IN_ID.test(id.value)) return err('webhook-id contains a timestamp after a period')

  const timestamp = header(headers, 'webhook-timestamp')
  if (!timestamp.ok) return timestamp
  if (!TIMESTAMP.test(timestamp.value)) return err('webhook-timestamp is not a whole number of seconds')
  const seconds = Number(timestamp.value)
  const age = Math.floor(nowMs / 1000) - seconds
  if (Math.abs(age) > WEBHOOK_TIMESTAMP_TOLERANCE_S)
    return err(`webhook-timestamp differs from the current time by ${age} s`)

  const signatures = header(headers, 'webhook-signature')
  if (!signatures.ok) return signatures
  if (signatures.value.includes(', ')) return err('webhook-signature is sent more than once')
  const values = signatures.value.split(' ', WEBHOOK_SIGNATURES_MAX + 1)
  if (values.length > WEBHOOK_SIGNATURES_MAX) return err('webhook-signature contains too many signatures')
  const v1Signatures = values.filter((signature) => SIGNATURE.test(signature))
  if (v1Signatures.length === 0) return err('webhook-signature contains no v1 signature')
  return ok({ webhookId: id.value, seconds, signatures: v1Signatures })
}

/**
 * Checks that `body` was signed with `secret` (`whsec_…`) at about `nowMs`. The error is a reason for the
 * operator's log and contains no header values; callers must respond to every error with the same text.
 */
export async function verifyStandard(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  nowMs: number,
): Promise<Result<{ readonly webhookId: string }, string>> {
  const claimed = checkHeaders(headers, nowMs)
  if (!claimed.ok) return claimed
  const { webhookId, seconds, signatures } = claimed.value
  const key = secretKey(secret)
  if (!key) return err('the secret of this hook is malformed')
  const expected = await sign(secret, key, webhookId, seconds, body)
  // Compares all signatures, so that the time does not reveal which one matched.
  const matches = signatures.filter((signature) => equalInConstantTime(signature, expected))
  return matches.length > 0 ? ok({ webhookId }) : err('no signature matches')
}

// The library's verify() is not used: it reads the system clock itself, accepts "123abc" as a timestamp, and
// parses the body. Its sign() accepts only text, which is lossless for UTF-8; for other bytes the platform's
// HMAC is used.
async function sign(
  secret: string,
  key: Uint8Array<ArrayBuffer>,
  id: string,
  seconds: number,
  body: Uint8Array,
): Promise<string> {
  const text = fromUtf8(body)
  if (text !== null) return new Webhook(secret).sign(id, new Date(seconds * 1000), text)
  const head = utf8(`${id}.${seconds}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const hmacKey = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', hmacKey, signed)))}`
}

// Header names are case-insensitive, so two spellings of one name are a repeated header.
function header(headers: Readonly<Record<string, string>>, name: string): Result<string, string> {
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const value = values[0]?.[1]
  if (value === undefined || value === '') return err(`${name} is missing`)
  return values.length === 1 ? ok(value) : err(`${name} is sent more than once`)
}
