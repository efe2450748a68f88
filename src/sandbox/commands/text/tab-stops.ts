// Parses the tab stops of `expand` and `unexpand`: `-t 4`, `-t 2,8,16`, `-t 1,/4`, `-t 1,+4`.

import { Failed } from '../command.ts'
import { fieldWidth } from '../number-size.ts'

export interface TabStops {
  /** The first tab stop after `column`; null if there is none. */
  after(column: number): number | null
}

export function tabStops(lists: readonly string[]): TabStops {
  const stops: number[] = []
  let every = 0
  let extends_: number | null = null
  for (const word of lists.flatMap((list) => list.split(/[,\s]+/)).filter((one) => one !== '')) {
    const [, mark = '', digits] = /^([/+]?)(\d+)$/.exec(word) ?? []
    if (digits === undefined) throw new Failed(`tab size contains invalid character(s): ‘${word}’`)
    const number = fieldWidth(Number(digits))
    if (mark === '/') every = number
    else if (mark === '+') extends_ = number
    else {
      if (number === 0) throw new Failed('tab size cannot be 0')
      if (number <= (stops.at(-1) ?? 0)) throw new Failed('tab sizes must be ascending')
      stops.push(number)
    }
  }
  const [only = 8] = stops
  const isSingle = stops.length <= 1 && every === 0 && extends_ === null
  return {
    after(column) {
      if (isSingle) return column + only - (column % only)
      const next = stops.find((stop) => stop > column)
      if (next !== undefined) return next
      if (every > 0) return column + every - (column % every)
      if (extends_ === null || extends_ === 0) return null
      const last = stops.at(-1) ?? 0
      return column + extends_ - ((column - last) % extends_)
    },
  }
}
