// The order in which GNU awk iterates over an array by default: integers in ascending order, texts in the order of its
// hash table.

import { encode } from '../io/text.ts'

const SIZES = [
  13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147, 524309, 1048583, 2097169, 4194319, 8388617,
]
/** The table grows when the average chain is longer than this. */
const CHAIN = 2
const INTEGER = /^(?:0|-?[1-9][0-9]{0,9})$/

export function hashOrder(map: ReadonlyMap<string, unknown>): readonly string[] {
  const keys = [...map.keys()]
  const integer = (key: string): boolean => INTEGER.test(key) && Math.abs(Number(key)) < 2 ** 31
  const [first] = keys
  // If the first index is text, the array keeps all indexes in one table.
  if (first === undefined || !integer(first)) return tableOrder(keys)
  const positive = keys.filter((key) => integer(key) && !key.startsWith('-')).map(Number)
  const others = keys.filter((key) => !integer(key) || key.startsWith('-'))
  const ascending = positive.toSorted((one, other) => one - other).map(String)
  if (others[0] === undefined || !integer(others[0])) return [...tableOrder(others), ...ascending]
  return [...tableOrder(others.filter((key) => !integer(key))), ...others.filter(integer), ...ascending]
}

interface Entry {
  readonly key: string
  readonly hash: number
}

/** New entries are at the start of their chains, and growing the table reverses the chains. */
function tableOrder(keys: readonly string[]): readonly string[] {
  let size = SIZES[0] ?? 13
  let chains: Entry[][] = Array.from({ length: size }, () => [])
  keys.forEach((key, index) => {
    const entry = { key, hash: hashOf(key) }
    const larger = SIZES.find((next) => next > size)
    if (larger !== undefined && Math.floor((index + 1) / size) > CHAIN) {
      const grown: Entry[][] = Array.from({ length: larger }, () => [])
      // Chains are stored here with the newest entry last.
      for (const chain of chains) for (const old of chain.toReversed()) grown[old.hash % larger]?.push(old)
      chains = grown
      size = larger
    }
    chains[entry.hash % size]?.push(entry)
  })
  return chains.flatMap((chain) => chain.toReversed().map(({ key }) => key))
}

function hashOf(key: string): number {
  let hash = 0
  for (const byte of encode(key)) hash = (Math.imul(hash, 65_599) + (byte > 127 ? byte - 256 : byte)) | 0
  return hash >>> 0
}
