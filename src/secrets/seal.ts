// Encrypts values that must be stored and read again, with AES-GCM and keys derived from ENCRYPTION_KEY. A value is
// bound to its context and cannot be opened in another one. Caches only derived keys.

import { base64, fromBase64, fromUtf8, hex, utf8 } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'

export interface Sealer {
  /** Encrypts a text. The same context is needed to open it. */
  seal(text: string, context: readonly string[]): Promise<string>
  /** Decrypts a text. Fails if its key is no longer configured, its context differs or it was modified. */
  open(sealed: string, context: readonly string[]): Promise<Result<string, 'unknown_key' | 'broken'>>
  /** Which key a sealed text names: the current key, a previous key or an unknown key. Not verified. */
  keyOf(sealed: string): Promise<'current' | 'previous' | 'unknown'>
}

interface Key {
  /** Identifies the key in texts that it sealed, without revealing anything about it. */
  readonly id: string
  readonly key: CryptoKey
}

const FORMAT = 's1'
/** With random IVs of 96 bits, one key is safe for 2^32 texts (NIST SP 800-38D). */
const IV_BYTES = 12

/** A sealer that seals with the first key and opens with any of them; null without keys. */
export function sealer(keys: readonly string[]): Sealer | null {
  if (keys.length === 0) return null
  let derived: Promise<readonly Key[]> | null = null
  const derivedKeys = (): Promise<readonly Key[]> => (derived ??= Promise.all(keys.map(derive)))
  return {
    async seal(text, context) {
      const [first] = await derivedKeys()
      if (!first) throw new Error('no key to seal with')
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const sealed = await crypto.subtle.encrypt(algorithm(iv, context), first.key, utf8(text))
      return [FORMAT, first.id, base64(iv), base64(new Uint8Array(sealed))].join('.')
    },
    async open(sealed, context) {
      const [format, id, iv, body] = sealed.split('.')
      const [ivBytes, bytes] = [fromBase64(iv ?? ''), fromBase64(body ?? '')]
      if (format !== FORMAT || !ivBytes || ivBytes.length !== IV_BYTES || !bytes) return err('broken')
      const matchingKey = (await derivedKeys()).find((key) => key.id === id)
      if (!matchingKey) return err('unknown_key')
      try {
        const decrypted = await crypto.subtle.decrypt(algorithm(ivBytes, context), matchingKey.key, bytes)
        const text = fromUtf8(new Uint8Array(decrypted))
        return text === null ? err('broken') : ok(text)
      } catch {
        return err('broken')
      }
    },
    async keyOf(sealed) {
      const keyIndex = (await derivedKeys()).findIndex(({ id }) => id === sealed.split('.')[1])
      return keyIndex === 0 ? 'current' : keyIndex > 0 ? 'previous' : 'unknown'
    },
  }
}

function algorithm(
  iv: Uint8Array<ArrayBuffer>,
  context: readonly string[],
): {
  readonly name: 'AES-GCM'
  readonly iv: Uint8Array<ArrayBuffer>
  readonly additionalData: Uint8Array<ArrayBuffer>
} {
  return { name: 'AES-GCM', iv, additionalData: utf8(JSON.stringify(context)) }
}

async function derive(secret: string): Promise<Key> {
  const baseKey = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const hkdf = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(info) })
  const [id, key] = await Promise.all([
    crypto.subtle.deriveBits(hkdf('satchel key id'), baseKey, 32),
    crypto.subtle.deriveKey(hkdf('satchel sealing'), baseKey, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]),
  ])
  return { id: hex(new Uint8Array(id)), key }
}
