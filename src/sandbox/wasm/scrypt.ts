// scrypt (RFC 7914) with pauses: the platform's own would block the isolate the whole time.

import { paidWork, type Payer } from './work.ts'

/** Number of parts of 64 bytes mixed without a pause, which takes about 0.5 ms. */
const PARTS_PER_PAUSE = 1_024
/** Steps charged for a part. */
const STEPS_PER_PART = 256

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Adds Salsa20/8 of `x` (16 words) to `x`. Local variables are several times as fast as an array. */
function salsa(x: Uint32Array): void {
  let x0 = x[0] ?? 0
  let x1 = x[1] ?? 0
  let x2 = x[2] ?? 0
  let x3 = x[3] ?? 0
  let x4 = x[4] ?? 0
  let x5 = x[5] ?? 0
  let x6 = x[6] ?? 0
  let x7 = x[7] ?? 0
  let x8 = x[8] ?? 0
  let x9 = x[9] ?? 0
  let x10 = x[10] ?? 0
  let x11 = x[11] ?? 0
  let x12 = x[12] ?? 0
  let x13 = x[13] ?? 0
  let x14 = x[14] ?? 0
  let x15 = x[15] ?? 0
  for (let round = 0; round < 8; round += 2) {
    x4 ^= rotate((x0 + x12) | 0, 7)
    x8 ^= rotate((x4 + x0) | 0, 9)
    x12 ^= rotate((x8 + x4) | 0, 13)
    x0 ^= rotate((x12 + x8) | 0, 18)
    x9 ^= rotate((x5 + x1) | 0, 7)
    x13 ^= rotate((x9 + x5) | 0, 9)
    x1 ^= rotate((x13 + x9) | 0, 13)
    x5 ^= rotate((x1 + x13) | 0, 18)
    x14 ^= rotate((x10 + x6) | 0, 7)
    x2 ^= rotate((x14 + x10) | 0, 9)
    x6 ^= rotate((x2 + x14) | 0, 13)
    x10 ^= rotate((x6 + x2) | 0, 18)
    x3 ^= rotate((x15 + x11) | 0, 7)
    x7 ^= rotate((x3 + x15) | 0, 9)
    x11 ^= rotate((x7 + x3) | 0, 13)
    x15 ^= rotate((x11 + x7) | 0, 18)
    x1 ^= rotate((x0 + x3) | 0, 7)
    x2 ^= rotate((x1 + x0) | 0, 9)
    x3 ^= rotate((x2 + x1) | 0, 13)
    x0 ^= rotate((x3 + x2) | 0, 18)
    x6 ^= rotate((x5 + x4) | 0, 7)
    x7 ^= rotate((x6 + x5) | 0, 9)
    x4 ^= rotate((x7 + x6) | 0, 13)
    x5 ^= rotate((x4 + x7) | 0, 18)
    x11 ^= rotate((x10 + x9) | 0, 7)
    x8 ^= rotate((x11 + x10) | 0, 9)
    x9 ^= rotate((x8 + x11) | 0, 13)
    x10 ^= rotate((x9 + x8) | 0, 18)
    x12 ^= rotate((x15 + x14) | 0, 7)
    x13 ^= rotate((x12 + x15) | 0, 9)
    x14 ^= rotate((x13 + x12) | 0, 13)
    x15 ^= rotate((x14 + x13) | 0, 18)
  }
  x[0] = (x[0] ?? 0) + x0
  x[1] = (x[1] ?? 0) + x1
  x[2] = (x[2] ?? 0) + x2
  x[3] = (x[3] ?? 0) + x3
  x[4] = (x[4] ?? 0) + x4
  x[5] = (x[5] ?? 0) + x5
  x[6] = (x[6] ?? 0) + x6
  x[7] = (x[7] ?? 0) + x7
  x[8] = (x[8] ?? 0) + x8
  x[9] = (x[9] ?? 0) + x9
  x[10] = (x[10] ?? 0) + x10
  x[11] = (x[11] ?? 0) + x11
  x[12] = (x[12] ?? 0) + x12
  x[13] = (x[13] ?? 0) + x13
  x[14] = (x[14] ?? 0) + x14
  x[15] = (x[15] ?? 0) + x15
}

/** Mixes the parts from `from` to `to` of `input` (32 * r words) into `output`. `x` is the part that was mixed before. */
function mixParts(
  input: Uint32Array,
  output: Uint32Array,
  r: number,
  x: Uint32Array,
  from: number,
  to: number,
): void {
  for (let part = from; part < to; part++) {
    for (let word = 0; word < 16; word++) x[word] = (x[word] ?? 0) ^ (input[part * 16 + word] ?? 0)
    salsa(x)
    output.set(x, ((part >> 1) + (part & 1) * r) * 16)
  }
}

/**
 * Mixes each of the blocks of 128 * r bytes in `bytes`, in the order of the machine, which is little-endian. `N` is a
 * power of two. Needs 128 * r * N bytes.
 */
export async function mixBlocks(
  bytes: Uint8Array<ArrayBuffer>,
  N: number,
  r: number,
  payer: Payer,
): Promise<void> {
  const size = 32 * r
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const all = new Uint32Array(size * N)
  const [x, next] = [new Uint32Array(16), new Uint32Array(size)]
  const pay = paidWork(payer, STEPS_PER_PART)
  for (let from = 0; from < numbers.length; from += size) {
    const block = numbers.subarray(from, from + size)
    // The first N rounds store blocks, and the others use them.
    for (let round = 0; round < 2 * N; round++) {
      if (round < N) all.set(block, round * size)
      else {
        const other = ((block[size - 16] ?? 0) & (N - 1)) * size
        for (let word = 0; word < size; word++) block[word] = (block[word] ?? 0) ^ (all[other + word] ?? 0)
      }
      x.set(block.subarray(size - 16))
      for (let part = 0; part < 2 * r; part += PARTS_PER_PAUSE) {
        const end = Math.min(2 * r, part + PARTS_PER_PAUSE)
        const pause = pay(end - part)
        if (pause) await pause
        mixParts(block, next, r, x, part, end)
      }
      block.set(next)
    }
  }
}
