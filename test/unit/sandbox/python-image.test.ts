// Guards that restoring an image sets every byte of memory, whatever an earlier script left in it.

import { expect, test } from 'vitest'

import { readImage, refill, writeImage } from '../../../src/sandbox/wasm/image.ts'
import { Memory } from '../../../src/sandbox/wasm/memory.ts'

const PAGE = 65_536
const FACTS = { stack: 1, run: 2, empty: 3, total: 2 * PAGE }

/** Memory that behaves like WebAssembly's: growing detaches the old buffer. */
function memoryOf(pages: number): Memory {
  let buffer = new ArrayBuffer(pages * PAGE)
  return new Memory({
    get buffer() {
      return buffer
    },
    grow: (more: number) => {
      buffer = buffer.transfer(buffer.byteLength + more * PAGE)
      return 0
    },
  })
}

function image(): Uint8Array {
  const memory = new Uint8Array(2 * PAGE)
  memory.set([1, 2, 3], 4096)
  memory.set([4], 9000)
  memory.set([5], 2 * PAGE - 1)
  return memory
}

test('restores a written image, without its pages of zeros', () => {
  const bytes = writeImage(image(), FACTS)
  expect(bytes.length).toBeLessThan(4 * 4096)
  const { runs, pages: _, ...facts } = readImage(bytes)
  expect(facts).toEqual(FACTS)
  expect(runs).toEqual([
    [4096, 8192],
    [2 * PAGE - 4096, 4096],
  ])
})

test('overwrites a full memory with the image, byte for byte, and zeros after it', () => {
  const memory = memoryOf(5)
  memory.bytes.fill(0xab)
  refill(memory, readImage(writeImage(image(), FACTS)))
  expect(memory.bytes.subarray(0, 2 * PAGE)).toEqual(image())
  expect(memory.bytes.subarray(2 * PAGE).every((byte) => byte === 0)).toBe(true)
})

test('grows a memory that is too small', () => {
  const memory = memoryOf(1)
  refill(memory, readImage(writeImage(image(), FACTS)))
  expect(memory.bytes).toEqual(image())
})
