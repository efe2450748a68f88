// Writes DEFLATE bit by bit: blocks that no compressor makes.

export interface BitWriter {
  /** `count` bits of `value`, lowest bit first. */
  put(value: number, count: number): void
  /** A Huffman code, highest bit first. */
  code(value: number, length: number): void
  bytes(): Uint8Array<ArrayBuffer>
}

export function bitWriter(): BitWriter {
  const bits: number[] = []
  return {
    put(value, count) {
      for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1)
    },
    code(value, length) {
      for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
    },
    bytes() {
      const out = new Uint8Array(Math.ceil(bits.length / 8))
      for (const [at, bit] of bits.entries()) out[at >> 3] = (out[at >> 3] ?? 0) | (bit << (at & 7))
      return out
    },
  }
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function canonical(lengths: readonly number[]): readonly number[] {
  const codes = lengths.map(() => 0)
  let code = 0
  for (let length = 1; length <= 15; length++, code <<= 1)
    for (const [symbol, its] of lengths.entries()) if (its === length) codes[symbol] = code++
  return codes
}

/** A block without content whose codes have up to 15 bits: 23 bytes that make a reader build two large tables. */
export function emptyDynamicBlock(to: BitWriter, last = false): void {
  const literals = Array.from({ length: 257 }, (_, symbol) => Math.max(0, Math.min(symbol - 240, 15)))
  const lengths = Array.from({ length: 19 }, (_, symbol) =>
    symbol === 0 || symbol === 18 ? 5 : symbol < 16 ? 4 : 0,
  )
  const codes = canonical(lengths)
  const put = (symbol: number): void => to.code(codes[symbol] ?? 0, lengths[symbol] ?? 0)
  to.put(last ? 1 : 0, 1)
  to.put(2, 2)
  to.put(0, 5)
  to.put(0, 5)
  to.put(15, 4)
  for (const symbol of ORDER) to.put(lengths[symbol] ?? 0, 3)
  for (const zeros of [138, 103]) {
    put(18)
    to.put(zeros - 11, 7)
  }
  for (const length of literals.slice(241)) put(length)
  put(1)
  to.code(canonical(literals)[256] ?? 0, 15)
}
