// Bytes, hex, base64 and hashes. Uses only web standards, so it runs in workerd and in Node.

const encoder = new TextEncoder()

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer> // The cast is safe: an encoder never creates a shared buffer.
}

/** Decodes UTF-8. Returns null if any byte is invalid. Does not remove a byte order mark. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function hex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += byte.toString(16).padStart(2, '0')
  return out
}

/** The SHA-256 as 64 lower-case hex digits. */
export async function sha256Hex(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const bytes = typeof data === 'string' ? utf8(data) : data
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Whether the text is a SHA-256 as 64 lower-case hex digits. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.byteLength
  }
  return bytes
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** Compares two strings in constant time. Their lengths are assumed to be public. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(binary)
}

/** Decodes base64 strictly (standard alphabet, padding required). Returns null if malformed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let offset = 0; offset < bytes.length; offset++) bytes[offset] = binary.charCodeAt(offset)
    return bytes
  } catch {
    return null
  }
}
