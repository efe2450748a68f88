// Finds the charset that a page declares in its head.

/** Number of bytes to search. HTML allows 1,024 bytes before the declaration, but many pages put scripts there. */
const SEARCH_BYTES = 4_096

/** The declared charset, or null if there is none. */
export function metaCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, SEARCH_BYTES))
  const label = /<meta[^>]{0,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(head)?.[1] ?? null
  // This search would find nothing in a UTF-16 page, so a declaration of UTF-16 is wrong.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}
