// Verifies deliveries that are signed with an HMAC: a row describes how a sender signs. Compares in constant time.

import { base64, equalInConstantTime, hex, joinBytes, utf8 } from '../../lib/bytes.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { contentOf } from './content.ts'
import { parsePayload } from './payload.ts'
import type { DeliveryHeaders, Handshake, RawDelivery, Verified } from './scheme.ts'

export interface SignatureClaim {
  /** In the encoding of the row. At most WEBHOOK_SIGNATURES_MAX. */
  readonly signatures: readonly string[]
  /** Texts that are signed before and after the body. */
  readonly before: string
  readonly after?: string
}

export interface MacRow {
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-512'
  readonly encoding: 'hex' | 'base64'
  /** Checks everything that needs neither the body nor a secret. */
  claim(headers: DeliveryHeaders, now: number): Result<SignatureClaim, string>
  /** The ID of an authentic delivery. `payload` is undefined if the body is not JSON. */
  id(headers: DeliveryHeaders, payload: unknown): Verified['id']
  /** Checks the body of an authentic delivery. */
  check?(payload: unknown, now: number): Result<null, string>
  /** The response to a test of the address; null for other deliveries. */
  handshake?(headers: DeliveryHeaders, payload: unknown): Handshake | null
}

/** Errors are as in Verify. */
export async function verifyMac(
  row: MacRow,
  secrets: readonly string[],
  { headers, body, now }: RawDelivery,
): Promise<Result<Verified, string>> {
  const claim = row.claim(headers, now)
  if (!claim.ok) return claim
  const { signatures, before, after = '' } = claim.value
  const signed = joinBytes([utf8(before), body, utf8(after)])
  let matches = 0
  // Compares all signatures with all secrets, so that the time does not reveal which one matched.
  for (const secret of secrets) {
    const expected = await sign(row, secret, signed)
    matches += signatures.filter((signature) => equalInConstantTime(signature, expected)).length
  }
  if (matches === 0) return err('no signature matches')
  const payload = payloadOf(headers, body)
  const checked = row.check?.(payload, now) ?? ok(null)
  if (!checked.ok) return checked
  return ok({ id: row.id(headers, payload), handshake: row.handshake?.(headers, payload) ?? null })
}

async function sign(row: MacRow, secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: row.hash }
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return row.encoding === 'hex' ? hex(mac) : base64(mac)
}

function payloadOf(headers: DeliveryHeaders, body: Uint8Array): unknown {
  const content = contentOf(headers['content-type'] ?? '', body)
  const payload = content === null ? null : parsePayload(content)
  return payload?.ok ? payload.value : undefined
}
