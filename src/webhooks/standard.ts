// The Standard Webhooks scheme over raw bytes. Says why a delivery is refused to the operator only; stores nothing.

import { Webhook } from 'standardwebhooks'
import { base64, equalInConstantTime, fromUtf8, utf8 } from '../lib/bytes.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { WEBHOOK_ID_MAX_CHARS, WEBHOOK_SIGNATURES_MAX, WEBHOOK_TOLERANCE_S } from './limits.ts'
import { secretKey } from './secret.ts'

const VISIBLE_ASCII = /^[\x21-\x7E]+$/
const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/
// 32 bytes in padded base64; other versions and malformed ones are not ours to judge and are passed over.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/
// The signed text joins its parts with full stops. An id that holds a timestamp could be another delivery's
// id and time read as one, with the start of its body taken for the time: genuine bytes under a new id.
const SHIFTED = /\.\d{9,12}(?:\.|$)/

/** The one answer for every reason. */
export const NOT_VERIFIED = fail('unauthenticated', 'The delivery could not be verified.')

/** What the headers of a delivery say, as far as they fit. */
interface Claimed {
  readonly webhookId: string
  readonly seconds: number
  /** Those of version 1. */
  readonly signatures: readonly string[]
}

/** All that can be refused without the body and the secret. The error is as of verifyStandard(). */
export function claimedBy(headers: Readonly<Record<string, string>>, nowMs: number): Result<Claimed, string> {
  const id = header(headers, 'webhook-id')
  if (!id.ok) return id
  if (id.value.length > WEBHOOK_ID_MAX_CHARS) return err('webhook-id is too long')
  if (!VISIBLE_ASCII.test(id.value)) return err('webhook-id is not one word of visible ASCII')
  if (SHIFTED.test(id.value)) return err('webhook-id holds a timestamp after a full stop')

  const timestamp = header(headers, 'webhook-timestamp')
  if (!timestamp.ok) return timestamp
  if (!TIMESTAMP.test(timestamp.value)) return err('webhook-timestamp is not a whole number of seconds')
  const seconds = Number(timestamp.value)
  const age = Math.floor(nowMs / 1000) - seconds
  if (Math.abs(age) > WEBHOOK_TOLERANCE_S) return err(`webhook-timestamp is ${age} s away from now`)

  const signatures = header(headers, 'webhook-signature')
  if (!signatures.ok) return signatures
  if (signatures.value.includes(', ')) return err('webhook-signature is given more than once')
  const given = signatures.value.split(' ', WEBHOOK_SIGNATURES_MAX + 1)
  if (given.length > WEBHOOK_SIGNATURES_MAX) return err('webhook-signature holds too many signatures')
  const usable = given.filter((one) => SIGNATURE.test(one))
  if (usable.length === 0) return err('webhook-signature holds no v1 signature')
  return ok({ webhookId: id.value, seconds, signatures: usable })
}

/**
 * Checks that `body` was signed with `secret` (`whsec_…`) at about `nowMs`. The error is a reason for the operator's
 * log, without header values; callers answer all of them with one text.
 */
export async function verifyStandard(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  nowMs: number,
): Promise<Result<{ readonly webhookId: string }, string>> {
  const claimed = claimedBy(headers, nowMs)
  if (!claimed.ok) return claimed
  const { webhookId, seconds, signatures } = claimed.value
  const key = secretKey(secret)
  if (!key) return err('the secret of this hook is malformed')
  const expected = await sign(secret, key, webhookId, seconds, body)
  // All are compared, so that time does not tell which one matched.
  const matches = signatures.filter((one) => equalInConstantTime(one, expected))
  return matches.length > 0 ? ok({ webhookId }) : err('no signature matches')
}

// The library's verify() is not used: it reads the system clock itself, takes "123abc" for a timestamp and parses
// the body. Its sign() takes text only, which is lossless for UTF-8; bytes that are not UTF-8 take the platform's HMAC.
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

// Names are compared without case; two spellings of one name are a header given twice.
function header(headers: Readonly<Record<string, string>>, name: string): Result<string, string> {
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const value = values[0]?.[1]
  if (value === undefined || value === '') return err(`${name} is missing`)
  return values.length === 1 ? ok(value) : err(`${name} is given more than once`)
}
