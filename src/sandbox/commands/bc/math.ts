// The functions of `bc -l`. Their last digits depend on the algorithm, so these use the same steps as bc.

import {
  add,
  compare,
  divide,
  literal,
  multiply,
  negate,
  num,
  ONE,
  power,
  remainder,
  rescaled,
  squareRoot,
  subtract,
  ZERO,
  lengthOf,
  type Num,
} from './number.ts'

type Function = (args: readonly Num[], scale: number) => Promise<Num>

/** The functions by name, with their number of arguments. */
export const MATH: Readonly<Record<string, { readonly count: number; readonly run: Function }>> = {
  e: { count: 1, run: async ([x = ZERO], scale) => exponential(x, scale) },
  l: { count: 1, run: async ([x = ZERO], scale) => logarithm(x, scale) },
  s: { count: 1, run: async ([x = ZERO], scale) => sine(x, scale) },
  c: { count: 1, run: async ([x = ZERO], scale) => cosine(x, scale) },
  a: { count: 1, run: async ([x = ZERO], scale) => arctangent(x, scale) },
  j: { count: 2, run: async ([n = ZERO, x = ZERO], scale) => bessel(n, x, scale) },
}

/** The integer part of a computed scale. */
function whole(value: Num): number {
  return Number(rescaled(value, 0).digits)
}

async function exponential(given: Num, scale: number): Promise<Num> {
  const negative = given.digits < 0n
  let x = negative ? negate(given) : given
  const n = whole(add(num(6 + scale), multiply(literal('.44'), x, scale)))
  let halvings = 0
  for (let at = x.scale + 2; compare(x, ONE) > 0; at++) {
    halvings++
    // Use the number of decimals from before this round.
    x = divide(x, num(2), at - 1)
  }
  let sum = add(ONE, x)
  let [top, bottom] = [x, ONE]
  for (let i = 2; ; i++) {
    top = multiply(top, x, n)
    bottom = multiply(bottom, num(i), n)
    const term = divide(top, bottom, n)
    if (term.digits === 0n) break
    sum = add(sum, term)
  }
  for (; halvings > 0; halvings--) sum = multiply(sum, sum, n)
  return negative ? divide(ONE, sum, scale) : divide(sum, ONE, scale)
}

async function logarithm(given: Num, scale: number): Promise<Num> {
  if (given.digits <= 0n) return divide(subtract(ONE, power(num(10), num(scale), scale)), ONE, scale)
  const inner = scale + 6
  let factor = num(2)
  let x = given
  while (compare(x, num(2)) >= 0) {
    factor = multiply(factor, num(2), inner)
    x = squareRoot(x, inner)
  }
  while (compare(x, literal('.5')) <= 0) {
    factor = multiply(factor, num(2), inner)
    x = squareRoot(x, inner)
  }
  let top = divide(subtract(x, ONE), add(x, ONE), inner)
  const square = multiply(top, top, inner)
  let sum = top
  for (let i = 3; ; i += 2) {
    top = multiply(top, square, inner)
    const term = divide(top, num(i), inner)
    if (term.digits === 0n) return divide(multiply(factor, sum, inner), ONE, scale)
    sum = add(sum, term)
  }
}

async function sine(given: Num, scale: number): Promise<Num> {
  const wide = whole(add(multiply(literal('1.1'), num(scale), scale), num(2)))
  const quarter = await arctangent(ONE, wide)
  const negative = given.digits < 0n
  let x = negative ? negate(given) : given
  const turns = divide(add(divide(x, quarter, 0), num(2)), num(4), 0)
  x = subtract(x, multiply(multiply(num(4), turns, 0), quarter, 0))
  if (remainder(turns, num(2), 0).digits !== 0n) x = negate(x)
  const inner = scale + 2
  let [sum, term] = [x, x]
  const square = multiply(negate(x), x, inner)
  for (let i = 3; ; i += 2) {
    term = multiply(term, divide(square, num(i * (i - 1)), inner), inner)
    if (term.digits === 0n) return divide(negative ? negate(sum) : sum, ONE, scale)
    sum = add(sum, term)
  }
}

async function cosine(x: Num, scale: number): Promise<Num> {
  const wide = whole(multiply(num(scale), literal('1.2'), scale))
  const quarter = await arctangent(ONE, wide)
  const moved = add(x, multiply(quarter, num(2), wide))
  return divide(await sine(moved, wide), ONE, scale)
}

/** Digits of constants, and the largest scale for which each is used. */
const QUARTER = [
  [25, '.7853981633974483096156608'],
  [40, '.7853981633974483096156608458198757210492'],
  [60, '.785398163397448309615660845819875721049292349843776455243736'],
] as const
const FIFTH = [
  [25, '.1973955598498807583700497'],
  [40, '.1973955598498807583700497651947902934475'],
  [60, '.197395559849880758370049765194790293447585103787852101517688'],
] as const

async function arctangent(given: Num, scale: number): Promise<Num> {
  const sign = given.digits < 0n ? num(-1) : ONE
  let x = given.digits < 0n ? negate(given) : given
  const fifth = literal('.2')
  for (const [value, table] of [
    [ONE, QUARTER],
    [fifth, FIFTH],
  ] as const) {
    const known = compare(x, value) === 0 ? table.find(([most]) => scale <= most) : undefined
    if (known) return divide(literal(known[1]), sign, scale)
  }
  const part = compare(x, fifth) > 0 ? await arctangent(fifth, scale + 5) : ZERO
  const inner = scale + 3
  let count = 0
  for (; compare(x, fifth) > 0; count++)
    x = divide(subtract(x, fifth), add(ONE, multiply(x, fifth, inner)), inner)
  let [sum, top] = [x, x]
  const square = multiply(negate(x), x, inner)
  for (let i = 3; ; i += 2) {
    top = multiply(top, square, inner)
    const term = divide(top, num(i), inner)
    if (term.digits === 0n) break
    sum = add(sum, term)
  }
  return divide(add(multiply(num(count), part, scale), sum), sign, scale)
}

async function bessel(order: Num, x: Num, scale: number): Promise<Num> {
  let n = divide(order, ONE, 0)
  const odd = remainder(n, num(2), 0).digits !== 0n
  const negative = n.digits < 0n && odd
  if (n.digits < 0n) n = negate(n)
  let factorial = ONE
  for (let i = 2n; i <= n.digits; i++) factorial = multiply(factorial, { digits: i, scale: 0 }, 0)
  const wide = whole(multiply(literal('1.5'), num(scale), 0))
  const factor = divide(divide(power(x, n, wide), power(num(2), n, wide), wide), factorial, wide)
  const inner = wide + lengthOf(factor) - factor.scale
  let [sum, term] = [ONE, ONE]
  const square = divide(multiply(negate(x), x, wide), num(4), wide)
  for (let i = 1; ; i++) {
    term = divide(divide(multiply(term, square, inner), num(i), inner), add(n, num(i)), inner)
    if (term.digits === 0n) break
    sum = add(sum, term)
  }
  const value = multiply(factor, sum, scale)
  return divide(negative ? negate(value) : value, ONE, scale)
}
