// `factor`: prints the prime factors of numbers.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { readLines } from '../io/reader.ts'
import { bigInteger } from '../number-size.ts'
import { parseOptions } from '../options.ts'

const MOST = 2n ** 64n

export const factor: Command = {
  async run(io) {
    const given = parseOptions('factor', io.args, [])
    let exitCode = 0
    const write = async (word: string): Promise<void> => {
      if (!/^\s*\+?\d+$/.test(word)) {
        await io.stderr.write(`factor: ‘${word}’ is not a valid positive integer\n`)
        exitCode = 1
        return
      }
      const number = bigInteger(word.trim().replace('+', ''))
      if (number >= MOST) throw new Unsupported(`factor ${word}`, 'a number below 2^64')
      const factors = await factorsOf(number)
      await io.stdout.write(`${number}:${factors.map((one) => ` ${one}`).join('')}\n`)
    }
    if (given.operands.length > 0) for (const word of given.operands) await write(word)
    else await fromInput(io, write)
    return exitCode
  },
}

async function fromInput(io: CommandIo, write: (word: string) => Promise<void>): Promise<void> {
  for await (const { lines } of readLines(io.stdin))
    for (const line of lines) for (const word of line.split(/[ \t]+/)) if (word !== '') await write(word)
}

/** The prime factors in ascending order. */
async function factorsOf(number: bigint): Promise<readonly bigint[]> {
  const factors: bigint[] = []
  let left = number
  // Divide by small primes first, using ordinary numbers if possible.
  if (left > 1n)
    for (let divisor = 2n; divisor < 2_000n && divisor * divisor <= left; divisor += divisor === 2n ? 1n : 2n)
      while (left % divisor === 0n) {
        factors.push(divisor)
        left /= divisor
      }
  const open = left > 1n ? [left] : []
  for (let one = open.pop(); one !== undefined; one = open.pop())
    if (isPrime(one)) factors.push(one)
    else {
      const divisor = await divisorOf(one)
      open.push(divisor, one / divisor)
    }
  return factors.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** The Miller-Rabin test. With these bases it is exact for all numbers below 2^64. */
function isPrime(number: bigint): boolean {
  const bases = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n]
  for (const base of bases) if (number % base === 0n) return number === base
  let odd = number - 1n
  let twos = 0
  for (; (odd & 1n) === 0n; odd >>= 1n) twos++
  return bases.every((base) => {
    let value = power(base, odd, number)
    if (value === 1n || value === number - 1n) return true
    for (let round = 1; round < twos; round++) {
      value = (value * value) % number
      if (value === number - 1n) return true
    }
    return false
  })
}

function commonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b > 0n) [a, b] = [b, a % b]
  return a
}

/** Pollard's rho: finds a divisor of a number that is not prime. */
async function divisorOf(number: bigint): Promise<bigint> {
  for (let add = 1n; ; add++) {
    let [slow, fast] = [2n, 2n]
    const next = (value: bigint): bigint => (value * value + add) % number
    for (let product = 1n, round = 1; ; round++) {
      slow = next(slow)
      fast = next(next(fast))
      const distance = slow > fast ? slow - fast : fast - slow
      if (distance === 0n) break
      product = (product * distance) % number
      if (round % 64 !== 0 && product !== 0n) continue
      const divisor = commonDivisor(product === 0n ? distance : product, number)
      if (divisor > 1n && divisor < number) return divisor
      if (divisor === number || product === 0n) break
    }
    // The product may have skipped over a factor, so repeat the search one step at a time.
    ;[slow, fast] = [2n, 2n]
    for (;;) {
      slow = next(slow)
      fast = next(next(fast))
      const divisor = commonDivisor(slow > fast ? slow - fast : fast - slow, number)
      if (divisor > 1n && divisor < number) return divisor
      if (slow === fast) break
    }
  }
}
