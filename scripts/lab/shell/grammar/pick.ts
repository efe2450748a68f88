// Choices of a generator of scripts.

import type { Chance } from '../../rig/random.ts'

export class Picker {
  readonly #random: Chance

  constructor(random: Chance) {
    this.#random = random
  }

  /** A whole number from `from` to `to`, both included. */
  number(from: number, to: number): number {
    return this.#random.between(from, to)
  }

  one<T>(options: readonly [T, ...T[]]): T {
    return options[this.number(0, options.length - 1)] ?? options[0]
  }

  chance(share: number): boolean {
    return this.#random.yes(share)
  }

  /** Between `from` and `to` results of `make`. */
  many<T>(from: number, to: number, make: () => T): T[] {
    return Array.from({ length: this.number(from, to) }, make)
  }
}
