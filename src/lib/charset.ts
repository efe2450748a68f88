// Decodes bytes whose declared charset may be wrong: the bytes themselves are trusted more.

/** Maximum share of damaged characters with which a text still counts as UTF-8. */
const DAMAGED_SHARE = 0.1

/**
 * `declared` are charsets, most trusted first. Never fails: undecodable bytes become replacement
 * characters.
 */
export function decodeText(bytes: Uint8Array, declared: readonly (string | null)[]): string {
  const bomLabel = bomEncoding(bytes)
  if (bomLabel !== null) return new TextDecoder(bomLabel).decode(bytes)
  const decoders = declared.flatMap((label) => decoderOf(label) ?? [])
  // These charsets are recognized first, because every text in them consists of ASCII bytes and would pass as
  // UTF-8.
  const asciiBased = decoders.find(({ encoding }) => /^(?:iso-2022|utf-16)/.test(encoding))
  if (asciiBased) return asciiBased.decode(bytes)
  const lossy = new TextDecoder().decode(bytes)
  if (isMostlyUtf8(lossy)) return lossy
  const nonUtf8Decoder = decoders.find(({ encoding }) => encoding !== 'utf-8')
  return (nonUtf8Decoder ?? new TextDecoder('windows-1252')).decode(bytes)
}

function bomEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

function decoderOf(label: string | null): InstanceType<typeof TextDecoder> | null {
  if (label === null) return null
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

/**
 * Whether the text is mostly UTF-8. Truncation, or a part in another charset, may have damaged some of it.
 */
function isMostlyUtf8(text: string): boolean {
  let [damaged, intact] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd) damaged += 1
    else if (code > 0x7f) intact += 1
  }
  return damaged <= intact * DAMAGED_SHARE
}
