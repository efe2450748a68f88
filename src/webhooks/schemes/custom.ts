// The scheme `hmac`: the hook itself says how its sender signs.

import { valueAt } from '../../lib/json-pointer.ts'
import { err, ok } from '../../lib/result.ts'
import { plainId, signedId } from './ids.ts'
import { verifyMac, type MacRow } from './mac.ts'
import { checkTimestamp, singleHeader, type HmacOptions, type Verify } from './scheme.ts'

const HASHES = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const
const PADDED_BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/**
 * Characters of a signed ID. options.ts excludes them from separators of signed texts, because otherwise the same signed bytes
 * could be read as another ID with another body.
 */
const SIGNED_ID = /^[A-Za-z0-9_-]{1,255}$/

export const verifyCustom: Verify = async (secrets, delivery, options) =>
  options === null
    ? err('this hook does not say how its sender signs')
    : verifyMac(rowOf(options), secrets, delivery)

function rowOf(options: HmacOptions): MacRow {
  const { header, prefix, encoding, signed, timestamp, id } = options
  const name = header.toLowerCase()
  const idHeader = id !== null && 'header' in id ? id.header.toLowerCase() : null
  return {
    hash: HASHES[options.algorithm],
    encoding,
    claim(headers, now) {
      const value = singleHeader(headers, name)
      if (!value.ok) return value
      const signature = value.value.startsWith(prefix) ? value.value.slice(prefix.length) : ''
      const isEncoded = encoding === 'hex' ? /^[0-9a-f]+$/ : PADDED_BASE64
      if (!isEncoded.test(signature)) return err(`${name} is not a signature`)
      let time = ''
      if (timestamp) {
        const at = timestamp.header.toLowerCase()
        const sent = singleHeader(headers, at)
        const checked = sent.ok ? checkTimestamp(at, sent.value, now, timestamp.tolerance_s) : sent
        if (!checked.ok) return checked
        time = checked.value
      }
      let sentId = ''
      if (idHeader !== null && signed.includes('{id}')) {
        const sent = singleHeader(headers, idHeader)
        if (!sent.ok) return sent
        if (!SIGNED_ID.test(sent.value)) return err(`${idHeader} is not an ID`)
        sentId = sent.value
      }
      const fill = (text: string): string => text.replace('{timestamp}', time).replace('{id}', sentId)
      const [before = '', after = ''] = signed.split('{body}')
      return ok({ signatures: [signature], before: fill(before), after: fill(after) })
    },
    id(headers, payload) {
      if (id === null) return null
      if ('pointer' in id) return signedId(valueAt(payload, id.pointer), [])
      const found = plainId(headers, id.header.toLowerCase())
      return found && { ...found, signed: signed.includes('{id}') }
    },
  }
}
