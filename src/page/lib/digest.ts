// A short hash of a secret, to tell data stored with one key from data stored with another. Proves nothing: 32 bits cannot be
// reversed to the key. Not SHA-256, which browsers offer only over HTTPS and only asynchronously.

/** 8 hex digits (FNV-1a); '' for an empty secret. */
export function digest(secret: string): string {
  if (secret === '') return ''
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(secret)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
