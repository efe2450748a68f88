// The image: memory of an interpreter after its start and imports, created once when Satchel is built. Reads
// and writes the format, which leaves out pages of zeros.

import type { Memory } from './memory.ts'

const PAGE_BYTES = 4096

/** The addresses and sizes that an image contains. */
export interface ImageFacts {
  /** The stack pointer. */
  readonly stack: number
  /** Addresses of two Python objects: the function to call, and an empty tuple. */
  readonly run: number
  readonly empty: number
  /** Size of the memory in bytes. */
  readonly total: number
}

export interface Image extends ImageFacts {
  /** Ranges of pages that are not all zero: address and length. */
  readonly runs: readonly (readonly [from: number, length: number])[]
  /** The pages of all ranges, concatenated. */
  readonly pages: Uint8Array
}

/** Converts memory to the image format. */
export function writeImage(memory: Uint8Array, facts: ImageFacts): Uint8Array {
  const runs: [number, number][] = []
  for (let from = 0; from < memory.length; from += PAGE_BYTES) {
    if (memory.subarray(from, from + PAGE_BYTES).every((byte) => byte === 0)) continue
    const last = runs.at(-1)
    if (last && last[0] + last[1] === from) last[1] += PAGE_BYTES
    else runs.push([from, PAGE_BYTES])
  }
  const header = new TextEncoder().encode(JSON.stringify({ ...facts, runs }))
  const length = runs.reduce((total, [, bytes]) => total + bytes, 0)
  const image = new Uint8Array(4 + header.length + length)
  new DataView(image.buffer).setUint32(0, header.length, true)
  image.set(header, 4)
  let offset = 4 + header.length
  for (const [from, bytes] of runs) {
    image.set(memory.subarray(from, from + bytes), offset)
    offset += bytes
  }
  return image
}

/** Parses an image that `writeImage` wrote. */
export function readImage(bytes: Uint8Array): Image {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  // The cast is safe: these bytes are from Satchel's own build, checked by their digest.
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Omit<Image, 'pages'>
  return { ...header, pages: bytes.subarray(4 + length) }
}

/**
 * Overwrites all of `memory` with the image, so that nothing of an earlier guest remains. `pristine` means that there
 * was no earlier guest. The memory after the image is then already zero, and writing to it would only allocate real
 * memory.
 */
export function refill(memory: Memory, image: Image, pristine = false): void {
  memory.grow(image.total)
  const { bytes } = memory
  let filledEnd = 0
  let offset = 0
  for (const [from, length] of image.runs) {
    bytes.fill(0, filledEnd, from)
    bytes.set(image.pages.subarray(offset, offset + length), from)
    offset += length
    filledEnd = from + length
  }
  if (!pristine) bytes.fill(0, filledEnd)
}
