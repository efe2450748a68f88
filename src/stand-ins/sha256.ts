// Replaces fast-sha256 in the upload, with the functions that standardwebhooks calls: the platform's SHA-256 is
// faster, and this saves 2 KB.

import { createHmac } from 'node:crypto'

type Bytes = Uint8Array | string

/** HMAC-SHA-256. */
export function hmac(key: Bytes, data: Bytes): Uint8Array {
  return new Uint8Array(createHmac('sha256', key).update(data).digest())
}
