// The headers of a delivery as they are stored: without secrets, signatures and what Cloudflare adds about the network.

import { cutText } from '../lib/text.ts'
import { jsonBytes } from '../lib/json-bytes.ts'
import { KEPT_HEADERS_MAX_BYTES } from './limits.ts'

const SECRET = /authorization|signature|token|secret|cookie|password|api[-_]?key/i
const NETWORK = /^(?:cf-|x-forwarded-|x-real-ip$|true-client-ip$|host$|connection$)/i
const MASK = '***'
/** Longer values are cut: no known sender needs more for one header. */
const VALUE_MAX_CHARS = 512

/** `signature` is the header of a custom scheme, which may have any name. */
export function keptHeaders(
  headers: Readonly<Record<string, string>>,
  signature: string | null,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  let bytes = 1
  for (const [header, value] of Object.entries(headers)) {
    const name = header.toLowerCase()
    if (NETWORK.test(name)) continue
    const isSecret = SECRET.test(name) || name === signature?.toLowerCase()
    const shown = isSecret ? MASK : cutText(value, VALUE_MAX_CHARS)
    // As JSON: `"name":"value",`.
    bytes += jsonBytes(name) + jsonBytes(shown) + 2
    if (bytes > KEPT_HEADERS_MAX_BYTES) break
    kept[name] = shown
  }
  return kept
}
