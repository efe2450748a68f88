// Parses the numbers of `dd`: `512`, `4k`, `1M`, `2x512`, `10B`.

import { Failed, Unsupported } from '../command.ts'
import { parseCount } from '../numbers.ts'

/** Maximum block size, because the shell holds a block in memory. */
const MOST = 67_108_864

/** A block size in bytes. */
export function sizeOf(text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  const size = product(text)
  if (size === 0) throw new Failed(`invalid number: ‘${text}’`)
  if (size > MOST) throw new Unsupported(`dd with blocks of ${size} bytes`, 'a smaller block')
  return size
}

/** Converts a number of blocks to bytes; a number that ends with B already counts bytes. */
export function numberOf(text: string | undefined, isBytes: boolean, block: number): number {
  if (text === undefined) return 0
  if (text.endsWith('B') && !/[kMG]B$/.test(text)) return product(text.slice(0, -1))
  return product(text) * (isBytes ? 1 : block)
}

function product(text: string): number {
  if (/^x|x$/.test(text)) throw new Failed(`invalid number: ‘${text}’`)
  return text
    .split('x')
    .map((part) =>
      /^\d+[cw]$/.test(part)
        ? Number(part.slice(0, -1)) * (part.endsWith('w') ? 2 : 1)
        : parseCount(part, 'invalid number'),
    )
    .reduce((one, other) => one * other, 1)
}
