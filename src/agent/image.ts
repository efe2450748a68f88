// Checks from an image's bytes whether the API accepts it: complete, of the declared type, and not too large. Decodes no pixels.

import { fromBase64 } from '../lib/bytes.ts'
import { IMAGE_SIDE_MAX_PX } from './limits.ts'
import type { ImageBlock } from './message.ts'

type Size = readonly [width: number, height: number]

/** For each media type that the API accepts: reads the image size, or returns null if the image is incomplete or of another type. */
const SIZE_READERS: Readonly<Record<string, (bytes: DataView) => Size | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
}

/**
 * Why an image cannot be sent, or null if it can. The API refuses an entire request if it cannot read one of
 * its images.
 */
export function imageFault({ source: { media_type, data } }: ImageBlock): string | null {
  return imageBytesFault(media_type, fromBase64(data), ' in base64')
}

/** Like imageFault, for bytes of a declared type, or null if they could not be decoded. `encoding` completes the message. */
export function imageBytesFault(media_type: string, bytes: Uint8Array | null, encoding = ''): string | null {
  const sizeOf = Object.hasOwn(SIZE_READERS, media_type) ? SIZE_READERS[media_type] : undefined
  if (!sizeOf) return 'only PNG, JPEG, GIF and WebP can be shown'
  const size = bytes && sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!size || Math.min(...size) === 0) return `its data is not a complete ${media_type}${encoding}`
  if (Math.max(...size) > IMAGE_SIDE_MAX_PX)
    return `its width and height must be at most ${IMAGE_SIDE_MAX_PX} pixels each`
  return null
}

/** The four bytes at the offset as an ASCII chunk name. */
function fourCharCode(bytes: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => bytes.getUint8(offset + index)))
}

function pngSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 45 || bytes.getUint32(0) !== 0x89504e47 || bytes.getUint32(4) !== 0x0d0a1a0a) return null
  if (fourCharCode(bytes, 12) !== 'IHDR' || fourCharCode(bytes, byteLength - 8) !== 'IEND') return null
  return [bytes.getUint32(16), bytes.getUint32(20)]
}

function gifSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 14 || fourCharCode(bytes, 0) !== 'GIF8' || bytes.getUint8(byteLength - 1) !== 0x3b)
    return null
  return [bytes.getUint16(6, true), bytes.getUint16(8, true)]
}

/** Walks the segments up to the first frame header, which contains the size. */
function jpegSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 4 || bytes.getUint16(0) !== 0xffd8 || bytes.getUint16(byteLength - 2) !== 0xffd9)
    return null
  for (let offset = 2; offset + 9 <= byteLength && bytes.getUint8(offset) === 0xff;) {
    const marker = bytes.getUint8(offset + 1)
    // The markers 0xc4, 0xc8 and 0xcc lie in the range of frame markers but start other segments.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [bytes.getUint16(offset + 7), bytes.getUint16(offset + 5)]
    // Fill bytes of 0xff may precede a marker.
    offset += marker === 0xff ? 1 : 2 + bytes.getUint16(offset + 2)
  }
  return null
}

function webpSize(bytes: DataView): Size | null {
  const { byteLength } = bytes
  if (byteLength < 30 || fourCharCode(bytes, 0) !== 'RIFF' || fourCharCode(bytes, 8) !== 'WEBP') return null
  if (bytes.getUint32(4, true) + 8 !== byteLength) return null
  const side = (offset: number): number => bytes.getUint16(offset, true) & 0x3fff
  switch (fourCharCode(bytes, 12)) {
    case 'VP8 ':
      return [side(26), side(28)]
    case 'VP8L': {
      const bits = bytes.getUint32(21, true)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    case 'VP8X':
      // Each side is a 24-bit integer, read here as the upper three bytes of a 32-bit integer.
      return [(bytes.getUint32(23, true) >>> 8) + 1, (bytes.getUint32(26, true) >>> 8) + 1]
    default:
      return null
  }
}

/** The image's media type according to its first bytes, or null if the model accepts no such images. */
export function imageMediaType(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return /^RIFF[^]{4}WEBP/.test(head) ? 'image/webp' : null
}
