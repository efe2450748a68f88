// scrypt (RFC 7914) with pauses: the platform's own would block the isolate the whole time.

/** Number of blocks mixed between two pauses. */
const BLOCKS_PER_PAUSE = 1_024
/** Steps charged for a block of 128 bytes. */
const STEPS_PER_BLOCK = 512

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

/** Mixes `input` (32 * r words) into `output`. */
function mixBlock(input: Uint32Array, output: Uint32Array, r: number, x: Uint32Array): void {
  x.set(input.subarray((2 * r - 1) * 16, 2 * r * 16))
  for (let part = 0; part < 2 * r; part++) {
    for (let word = 0; word < 16; word++) x[word] = (x[word] ?? 0) ^ (input[part * 16 + word] ?? 0)
    salsa(x)
    output.set(x, ((part >> 1) + (part & 1) * r) * 16)
  }
}

/**
 * Mixes each of the blocks of 128 * r bytes in `bytes`, in the order of the machine, which is little-endian. `N` is a
 * power of two. Needs 128 * r * N bytes. `pause` is called with the number of steps since the last pause.
 */
export async function mixBlocks(
  bytes: Uint8Array<ArrayBuffer>,
  N: number,
  r: number,
  pause: (steps: number) => Promise<void>,
): Promise<void> {
  const size = 32 * r
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const all = new Uint32Array(size * N)
  const [x, next] = [new Uint32Array(16), new Uint32Array(size)]
  const perPause = Math.max(1, Math.floor(BLOCKS_PER_PAUSE / r))
  const isPause = (index: number): boolean => index % perPause === perPause - 1
  const steps = perPause * r * STEPS_PER_BLOCK
  for (let from = 0; from < numbers.length; from += size) {
    const block = numbers.subarray(from, from + size)
    for (let index = 0; index < N; index++) {
      all.set(block, index * size)
      mixBlock(block, next, r, x)
      block.set(next)
      if (isPause(index)) await pause(steps)
    }
    for (let index = 0; index < N; index++) {
      const other = ((block[size - 16] ?? 0) & (N - 1)) * size
      for (let word = 0; word < size; word++) block[word] = (block[word] ?? 0) ^ (all[other + word] ?? 0)
      mixBlock(block, next, r, x)
      block.set(next)
      if (isPause(index)) await pause(steps)
    }
  }
}
