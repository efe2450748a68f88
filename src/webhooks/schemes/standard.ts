// Verifies deliveries by the Standard Webhooks scheme, over raw bytes. Only the operator learns why a
// delivery is refused. Stores nothing.

import { Webhook } from 'standardwebhooks'
import { base64, equalInConstantTime, fromUtf8, utf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { WEBHOOK_ID_MAX_CHARS, WEBHOOK_SIGNATURES_MAX } from './limits.ts'
import { secretKey } from './secret.ts'
import { checkTimestamp, singleHeader, type DeliveryHeaders, type Verify } from './scheme.ts'

const VISIBLE_ASCII = /^[\x21-\x7E]+$/
// 32 bytes in padded base64. Other versions and malformed signatures are skipped.
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/
// The signed text joins its parts with periods. If an ID could contain a timestamp after a period, the same
// signed bytes could be read as a shorter ID with that timestamp and a longer body: an authentic delivery
// under a new ID.
const TIMESTAMP_IN_ID = /\.\d{9,12}(?:\.|$)/

/** The validated headers of a delivery. */
interface ClaimedDelivery {
  readonly webhookId: string
  readonly seconds: number
  /** Only signatures of version 1. */
  readonly signatures: readonly string[]
}

function checkHeaders(headers: DeliveryHeaders, nowMs: number): Result<ClaimedDelivery, string> {
  const id = singleHeader(headers, 'webhook-id')
  if (!id.ok) return id
  if (id.value.length > WEBHOOK_ID_MAX_CHARS) return err('webhook-id is too long')
  if (!VISIBLE_ASCII.test(id.value)) return err('webhook-id is not visible ASCII without spaces')
  if (TIMESTAMP_IN_ID.test(id.value)) return err('webhook-id contains a timestamp after a period')

  const header = singleHeader(headers, 'webhook-timestamp')
  const timestamp = header.ok ? checkTimestamp('webhook-timestamp', header.value, nowMs) : header
  if (!timestamp.ok) return timestamp

  const signatures = singleHeader(headers, 'webhook-signature')
  if (!signatures.ok) return signatures
  if (signatures.value.includes(', ')) return err('webhook-signature is sent more than once')
  const values = signatures.value.split(' ', WEBHOOK_SIGNATURES_MAX + 1)
  if (values.length > WEBHOOK_SIGNATURES_MAX) return err('webhook-signature contains too many signatures')
  const v1Signatures = values.filter((signature) => SIGNATURE.test(signature))
  if (v1Signatures.length === 0) return err('webhook-signature contains no v1 signature')
  return ok({ webhookId: id.value, seconds: Number(timestamp.value), signatures: v1Signatures })
}

/** Secrets start with `whsec_`. */
export const verifyStandard: Verify = async (secrets, { headers, body, now }) => {
  const claimed = checkHeaders(headers, now)
  if (!claimed.ok) return claimed
  const { webhookId, seconds, signatures } = claimed.value
  let matches = 0
  // Compares all signatures with all secrets, so that the time does not reveal which one matched.
  for (const secret of secrets) {
    const key = secretKey(secret)
    if (!key) return err('the secret of this hook is malformed')
    const expected = await sign(secret, key, webhookId, seconds, body)
    matches += signatures.filter((signature) => equalInConstantTime(signature, expected)).length
  }
  return matches > 0
    ? ok({ id: { value: webhookId, signed: true }, handshake: null })
    : err('no signature matches')
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
