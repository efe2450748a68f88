// Makes the random choices of a script generator.

import type { Chance } from '../../rig/random.ts'

export class Picker {
  readonly #random: Chance

  constructor(random: Chance) {
    this.#random = random
  }

  /** An integer from `from` to `to`, both inclusive. */
  number(from: number, to: number): number {
    return this.#random.between(from, to)
  }

  one<T>(options: readonly [T, ...T[]]): T {
    return options[this.number(0, options.length - 1)] ?? options[0]
  }

  chance(share: number): boolean {
    return this.#random.yes(share)
  }

  /** Returns between `from` and `to` results of `make`. */
  many<T>(from: number, to: number, make: () => T): T[] {
    return Array.from({ length: this.number(from, to) }, make)
  }
}
