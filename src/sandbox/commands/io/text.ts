// Converts bytes to text and back without loss: bytes that are not UTF-8 become lone surrogates (U+DC80 to U+DCFF), as
// with Python's `surrogateescape`.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()
const ESCAPED = /[\uDC80-\uDCFF]/

/** Decodes `bytes`. */
export function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeEscaped(bytes)
  }
}

/** Encodes `text`, which reverses `decode`. Other lone surrogates become U+FFFD. */
export function encode(text: string): Uint8Array {
  if (!ESCAPED.test(text)) return encoder.encode(text)
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  let plain = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    // The second half of a surrogate pair is not an escaped byte.
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(at + 1))) at++
    else if (unit >= 0xdc80 && unit <= 0xdcff) {
      length += encoder.encodeInto(text.slice(plain, at), bytes.subarray(length)).written
      bytes[length++] = unit - 0xdc00
      plain = at + 1
    }
  }
  length += encoder.encodeInto(text.slice(plain), bytes.subarray(length)).written
  return bytes.subarray(0, length)
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function decodeEscaped(bytes: Uint8Array): string {
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    if (length > 0) at += length
    else {
      text += strict.decode(bytes.subarray(from, at)) + String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
      from = ++at
    }
  }
  return text + strict.decode(bytes.subarray(from))
}

/** Length of the valid UTF-8 sequence at `at`, or 0 if there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4) return 0
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1] ?? 0
  // Refuse overlong forms, surrogates, and code points above U+10FFFF.
  if (first === 0xe0 && second < 0xa0) return 0
  if (first === 0xed && second > 0x9f) return 0
  if (first === 0xf0 && second < 0x90) return 0
  if (first === 0xf4 && second > 0x8f) return 0
  return length
}
