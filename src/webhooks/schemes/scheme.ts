// What a signature scheme is: how a sender proves that a delivery is its own, and which delivery it is.

import { err, ok, type Result } from '../../lib/result.ts'
import { WEBHOOK_TIMESTAMP_TOLERANCE_S } from './limits.ts'

export type SchemeName =
  | 'standard'
  | 'github'
  | 'gitlab'
  | 'slack'
  | 'stripe'
  | 'linear'
  | 'pagerduty'
  | 'hmac'
  | 'bearer'
  | 'basic'

/** How a sender of the scheme `hmac` signs. */
export interface HmacOptions {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512'
  /** The header that contains the signature. */
  readonly header: string
  /** Text before the signature in its header, such as `sha256=`. */
  readonly prefix: string
  readonly encoding: 'hex' | 'base64'
  /** What is signed: `{body}`, and optionally `{timestamp}` and `{id}`, such as `{timestamp}.{body}`. */
  readonly signed: string
  /** A header with the time in Unix seconds, and the largest accepted difference from the current time. */
  readonly timestamp: { readonly header: string; readonly tolerance_s: number } | null
  /** Where the delivery's ID is: in a header, or at a JSON pointer of the body. */
  readonly id: { readonly header: string } | { readonly pointer: string } | null
}

export type DeliveryHeaders = Readonly<Record<string, string>>

export interface RawDelivery {
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
}

/** A response that a sender expects when it tests the address. No run starts. */
export interface Handshake {
  readonly contentType: string
  readonly body: string
}

export interface Verified {
  /**
   * The sender's ID of the delivery, or null if it has none. If the ID is not signed, whoever captured a delivery could
   * send it again with another ID, so then the body identifies the delivery, too.
   */
  readonly id: { readonly value: string; readonly signed: boolean } | null
  readonly handshake: Handshake | null
}

/**
 * Verifies a delivery with any of `secrets`. The error is a reason for the operator's log and contains no header values;
 * callers must respond to every error with the same text.
 */
export type Verify = (
  secrets: readonly string[],
  delivery: RawDelivery,
  options: HmacOptions | null,
) => Promise<Result<Verified, string>>

/** The value of a header. Names are case-insensitive, so two spellings of one name are a repeated header. */
export function singleHeader(headers: DeliveryHeaders, name: string): Result<string, string> {
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const value = values[0]?.[1]
  if (value === undefined || value === '') return err(`${name} is missing`)
  return values.length === 1 ? ok(value) : err(`${name} is sent more than once`)
}

const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/

/** A time in Unix seconds that is within `toleranceS` of `now`. `name` is where it is, for the error. */
export function checkTimestamp(
  name: string,
  value: string,
  now: number,
  toleranceS = WEBHOOK_TIMESTAMP_TOLERANCE_S,
): Result<string, string> {
  if (!TIMESTAMP.test(value)) return err(`${name} is not a whole number of seconds`)
  const age = Math.floor(now / 1000) - Number(value)
  return Math.abs(age) > toleranceS ? err(`${name} differs from the current time by ${age} s`) : ok(value)
}
