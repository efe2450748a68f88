// Images as tools return them: complete files of each format, without visible content.

import type { ImageBlock } from '../../src/agent/message.ts'
import { base64, utf8 } from '../../src/lib/bytes.ts'

export function image(media_type: string, bytes: Uint8Array): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type, data: base64(bytes) } }
}

function u32(value: number): readonly number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

/** A PNG with `chars` characters of base64, a multiple of four from 60 on. */
export function png(chars = 60, width = 1, height = 1): ImageBlock {
  const sign = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  const header = [...u32(13), ...utf8('IHDR'), ...u32(width), ...u32(height), 8, 0, 0, 0, 0, ...u32(0)]
  const end = [...u32(0), ...utf8('IEND'), ...u32(0xae426082)]
  // Both ends are multiples of three bytes, so that the part between is encoded separately.
  const [first, last] = [base64(Uint8Array.from([...sign, ...header])), base64(Uint8Array.from(end))]
  const data = first.padEnd(chars - last.length, 'A') + last
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

export function jpeg(width = 1, height = 1): ImageBlock {
  const side = (value: number): readonly number[] => [value >>> 8, value & 0xff]
  const app = [0xff, 0xe0, 0, 4, 1, 2]
  const frame = [0xff, 0xff, 0xc2, 0, 11, 8, ...side(height), ...side(width), 1, 1, 0x11, 0]
  return image('image/jpeg', Uint8Array.from([0xff, 0xd8, ...app, ...frame, 0xff, 0xd9]))
}

export function gif(width = 1, height = 1): ImageBlock {
  const side = (value: number): readonly number[] => [value & 0xff, value >>> 8]
  return image(
    'image/gif',
    Uint8Array.from([...utf8('GIF89a'), ...side(width), ...side(height), 0, 0, 0, 0x3b]),
  )
}

/** `bits` are the 18 bytes after the chunk's size, where each kind stores its dimensions differently. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', bits: readonly number[]): ImageBlock {
  const chunk = [...utf8(kind), 10, 0, 0, 0, ...bits]
  return image(
    'image/webp',
    Uint8Array.from([...utf8('RIFF'), 4 + chunk.length, 0, 0, 0, ...utf8('WEBP'), ...chunk]),
  )
}
