// A short hash of a secret, used to tell data stored under one key from data stored under another. It is not a security check;
// at 32 bits, it cannot be reversed to the key. Not SHA-256, which browsers offer only over HTTPS and only asynchronously.

/** The hash as 8 hex digits (FNV-1a), or '' for an empty secret. */
export function hashSecret(secret: string): string {
  if (secret === '') return ''
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(secret)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
