// Finds the charset that a page declares in its head.

/** How far into the page to look. HTML allows 1,024 bytes, but scripts before the declaration are common. */
const WITHIN_BYTES = 4_096

/** Null if none is declared. */
export function metaCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, WITHIN_BYTES))
  const label = /<meta[^>]{0,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ?? null
  // A page in UTF-16 could not be searched this way, so the declaration is wrong.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}
