// A short name for a secret, to tell what was kept with one from what was kept with another. No proof of anything: 32 bits, which
// say too little to find the secret again. Not SHA-256: a browser has that for https alone, and only as a promise.

/** 8 hex digits (FNV-1a); '' for nothing. */
export function digest(secret: string): string {
  if (secret === '') return ''
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(secret)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
