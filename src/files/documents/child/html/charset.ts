// The charset that a page names in its head.

/** Where it may do so (HTML says 1,024 bytes; scripts before it are common). */
const WITHIN_BYTES = 4_096

/** Null: it names none. */
export function metaCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, WITHIN_BYTES))
  const label = /<meta[^>]{0,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ?? null
  // It could not be read if it were true.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}
