// Decodes bytes whose declared charset may be wrong: the bytes themselves are trusted more.

/** Maximum share of damaged characters with which a text still counts as UTF-8. */
const DAMAGED_SHARE = 0.1

/**
 * `named` are the declared charsets, most trusted first. Never fails: undecodable bytes become replacement
 * characters.
 */
export function decodeText(bytes: Uint8Array, named: readonly (string | null)[]): string {
  const marked = byMark(bytes)
  if (marked !== null) return new TextDecoder(marked).decode(bytes)
  const decoders = named.flatMap((label) => decoderOf(label) ?? [])
  // These charsets are recognized first, because every text in them consists of ASCII bytes and would pass as
  // UTF-8.
  const shifted = decoders.find(({ encoding }) => /^(?:iso-2022|utf-16)/.test(encoding))
  if (shifted) return shifted.decode(bytes)
  const lossy = new TextDecoder().decode(bytes)
  if (isMostly(lossy)) return lossy
  const other = decoders.find(({ encoding }) => encoding !== 'utf-8')
  return (other ?? new TextDecoder('windows-1252')).decode(bytes)
}

function byMark([first, second, third]: Uint8Array): string | null {
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
 * Whether the text is mostly UTF-8. A cut at its end, or a part in another charset, may damage some of it.
 */
function isMostly(text: string): boolean {
  let [damaged, right] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) damaged += 1
    else if (code > 0x7f) right += 1
  }
  return damaged <= right * DAMAGED_SHARE
}
