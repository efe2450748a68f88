// Whether the API accepts an image, judged by its bytes: complete, of the declared type, and not too large. Pure;
// decodes no pixels.

import { fromBase64 } from '../lib/bytes.ts'
import { IMAGE_SIDE_MAX_PX } from './limits.ts'
import type { ImageBlock } from './message.ts'

type Size = readonly [width: number, height: number]

/** Reads the size for each type that the API accepts; null if it is not a complete image of that type. */
const SIZE_OF: Readonly<Record<string, (bytes: DataView) => Size | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
}

/** Why an image cannot be sent; null if it can. The API refuses every request with an image that it cannot read. */
export function imageFault({ source: { media_type, data } }: ImageBlock): string | null {
  return imageBytesFault(media_type, fromBase64(data), ' in base64')
}

/** The same for bytes of a declared type. Null: they could not be decoded; `from` names the encoding. */
export function imageBytesFault(media_type: string, bytes: Uint8Array | null, from = ''): string | null {
  const sizeOf = Object.hasOwn(SIZE_OF, media_type) ? SIZE_OF[media_type] : undefined
  if (!sizeOf) return 'only PNG, JPEG, GIF and WebP can be shown'
  const size = bytes && sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!size || Math.min(...size) === 0) return `its data is not a complete ${media_type}${from}`
  if (Math.max(...size) > IMAGE_SIDE_MAX_PX) return `a side may have at most ${IMAGE_SIDE_MAX_PX} pixels`
  return null
}

/** Four bytes as ASCII letters. */
function word(bytes: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((next) => bytes.getUint8(at + next)))
}

function pngSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 45 || bytes.getUint32(0) !== 0x89504e47 || bytes.getUint32(4) !== 0x0d0a1a0a) return null
  if (word(bytes, 12) !== 'IHDR' || word(bytes, byteLength - 8) !== 'IEND') return null
  return [bytes.getUint32(16), bytes.getUint32(20)]
}

function gifSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 14 || word(bytes, 0) !== 'GIF8' || bytes.getUint8(byteLength - 1) !== 0x3b) return null
  return [bytes.getUint16(6, true), bytes.getUint16(8, true)]
}

/** Segment by segment, up to the first frame header. */
function jpegSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 4 || bytes.getUint16(0) !== 0xffd8 || bytes.getUint16(byteLength - 2) !== 0xffd9)
    return null
  for (let at = 2; at + 9 <= byteLength && bytes.getUint8(at) === 0xff;) {
    const marker = bytes.getUint8(at + 1)
    // 0xc4, 0xc8 and 0xcc are tables with markers between those of frames.
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) return [bytes.getUint16(at + 7), bytes.getUint16(at + 5)]
    // A marker may be padded with 0xff in front.
    at += marker === 0xff ? 1 : 2 + bytes.getUint16(at + 2)
  }
  return null
}

function webpSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 30 || word(bytes, 0) !== 'RIFF' || word(bytes, 8) !== 'WEBP') return null
  if (bytes.getUint32(4, true) + 8 !== byteLength) return null
  const side = (at: number): number => bytes.getUint16(at, true) & 0x3fff
  switch (word(bytes, 12)) {
    case 'VP8 ':
      return [side(26), side(28)]
    case 'VP8L': {
      const bits = bytes.getUint32(21, true)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    case 'VP8X':
      // 24 bits each, read as the upper three bytes of 32.
      return [(bytes.getUint32(23, true) >>> 8) + 1, (bytes.getUint32(26, true) >>> 8) + 1]
    default:
      return null
  }
}

/** The image type by its first bytes; null if there is none that can be shown. */
export function imageMediaType(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return /^RIFF[^]{4}WEBP/.test(head) ? 'image/webp' : null
}
