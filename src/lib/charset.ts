// Text out of bytes of which somebody says in what charset they are. That is often wrong: what the bytes are counts more.

/** Of a text in UTF-8 whose bytes are damaged, so much may be. */
const DAMAGED_SHARE = 0.1

/** `named`: charsets that were named, the more trusted first. Never fails; what is no text comes as signs of it. */
export function decodeText(bytes: Uint8Array, named: readonly (string | null)[]): string {
  const marked = byMark(bytes)
  if (marked !== null) return new TextDecoder(marked).decode(bytes)
  const decoders = named.flatMap((label) => decoderOf(label) ?? [])
  // These are made of ASCII's bytes: every text in them would pass for UTF-8.
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

/** Whether this is a text in UTF-8, perhaps with some damage: a cut at its end, an advertisement in another charset. */
function isMostly(text: string): boolean {
  let [damaged, right] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) damaged += 1
    else if (code > 0x7f) right += 1
  }
  return damaged <= right * DAMAGED_SHARE
}
