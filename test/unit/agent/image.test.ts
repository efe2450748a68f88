// Guards that no image that the API would refuse enters a thread: the API would refuse every later request, because
// each contains it.

import { describe, expect, it } from 'vitest'
import { imageFault } from '../../../src/agent/image.ts'
import type { ImageBlock } from '../../../src/agent/message.ts'
import { fromBase64 } from '../../../src/lib/bytes.ts'
import { IMAGE_SIDE_MAX_PX } from '../../../src/agent/limits.ts'
import { gif, image, jpeg, png, webp } from '../../fakes/images.ts'

const MAX = IMAGE_SIDE_MAX_PX
const LOW = MAX - 1
/** Lossy, lossless and extended WebP of this width and height 1. */
const WEBP: readonly (readonly [string, (width: number) => ImageBlock])[] = [
  ['VP8', (w) => webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, w & 0xff, w >>> 8, 1, 0])],
  ['VP8L', (w) => webp('VP8L', [0x2f, (w - 1) & 0xff, (w - 1) >>> 8, 0, 0, 0, 0, 0, 0, 0])],
  ['VP8X', (w) => webp('VP8X', [0, 0, 0, 0, (w - 1) & 0xff, (w - 1) >>> 8, 0, 0, 0, 0])],
]
const KINDS: readonly (readonly [string, (width: number) => ImageBlock])[] = [
  ['PNG', (w) => png(60, w)],
  ['JPEG', (w) => jpeg(w)],
  ['GIF', (w) => gif(w)],
  ...WEBP,
]

describe.each(KINDS)('a %s', (_, made) => {
  it('that is complete and not too large can be shown', () => {
    for (const width of [1, LOW, MAX]) expect(imageFault(made(width))).toBeNull()
  })

  it('with a side that is too long cannot be shown', () => {
    expect(imageFault(made(MAX + 1))).toBe(`its width and height must be at most ${MAX} pixels each`)
  })

  it('that was cut, anywhere, cannot be shown', () => {
    const { source } = made(1)
    const bytes = fromBase64(source.data) ?? new Uint8Array()
    for (let end = 0; end < bytes.length; end++)
      expect(imageFault(image(source.media_type, bytes.subarray(0, end))), `${end}`).toMatch(
        /not a complete image/,
      )
  })
})

describe('an image', () => {
  it('that is too high, or has no side, cannot be shown', () => {
    expect(imageFault(png(60, 1, MAX + 1))).toMatch(/its width and height must be/)
    expect(imageFault(jpeg(1, MAX + 1))).toMatch(/its width and height must be/)
    expect(imageFault(png(60, 0))).toMatch(/not a complete image/)
  })

  it('of another type than declared, or than the API accepts, cannot be shown', () => {
    const { data } = png().source
    const says = (media_type: string): ImageBlock => ({
      type: 'image',
      source: { type: 'base64', media_type, data },
    })
    expect(imageFault(says('image/jpeg'))).toMatch(/not a complete image\/jpeg/)
    for (const other of ['image/svg+xml', 'constructor']) expect(imageFault(says(other))).toMatch(/only PNG/)
  })

  it('with an unreadable segment ends the search', () => {
    const loop = [0xff, 0xd8, ...Array<number>(1_000).fill(0xff), 0xff, 0xd9]
    expect(imageFault(image('image/jpeg', Uint8Array.from(loop)))).toMatch(/not a complete/)
  })
})
