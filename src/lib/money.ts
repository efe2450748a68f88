// Amounts of money as whole micro-dollars, which can be summed exactly.

const MICROS = 1_000_000

export function microUsd(usd: number): number {
  return Math.round(usd * MICROS)
}

export function fromMicroUsd(micros: number): number {
  return micros / MICROS
}
