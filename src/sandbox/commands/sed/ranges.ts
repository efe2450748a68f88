// Decides whether a command applies to a line by its address or range. Remembers open ranges between lines.

import type { Address, SedCommand } from './script.ts'

export interface LineLocation {
  readonly number: number
  readonly last: boolean
}

interface State {
  /** The last line of the open range; null if a pattern or `$` ends it. Missing if no range is open. */
  until?: number | null
  /** Whether a range that begins at a line number has begun, which it does only once. */
  begun?: boolean
}

export class Ranges {
  readonly #states = new Map<SedCommand, State>()

  /** Called at the start of another file if files are processed separately. */
  reset(): void {
    this.#states.clear()
  }

  /** `matches` tests a pattern against the current text. */
  applies(command: SedCommand, location: LineLocation, matches: (address: Address) => boolean): boolean {
    const { from, to } = command
    if (!from) return true
    return (
      (to ? this.#inRange(command, from, to, location, matches) : isAt(from, location, matches)) !==
      command.negated
    )
  }

  /** Whether a range is still open after this line. */
  isOpen(command: SedCommand): boolean {
    return this.#states.get(command)?.until !== undefined
  }

  #inRange(
    command: SedCommand,
    from: Address,
    to: Address,
    location: LineLocation,
    matches: (address: Address) => boolean,
  ): boolean {
    const line = location.number
    const state = this.#states.get(command) ?? {}
    this.#states.set(command, state)
    if (state.until === undefined) {
      const zero = from.kind === 'line' && from.line === 0
      const begins =
        from.kind === 'line' ? state.begun !== true && line >= from.line : isAt(from, location, matches)
      if (!begins) return false
      state.begun = true
      const until = untilOf(to, line)
      if (until === null ? (zero || to.kind === 'last') && isAt(to, location, matches) : until <= line)
        // If other commands skipped all lines of the range, it does not apply.
        return from.kind !== 'line' || to.kind !== 'line' || line <= to.line || line === from.line
      state.until = until
      return true
    }
    const { until } = state
    if (until === null ? isAt(to, location, matches) : line >= until) delete state.until
    // A command such as `n` may have skipped the last line, so that this line is past it. With `+N`, GNU sed includes
    // one more line.
    return until === null || line <= until || to.kind !== 'line'
  }
}

function isAt(address: Address, location: LineLocation, matches: (address: Address) => boolean): boolean {
  switch (address.kind) {
    case 'line':
      return location.number === address.line
    case 'last':
      return location.last
    case 'step':
      return address.step <= 0
        ? location.number === address.first
        : location.number >= address.first && (location.number - address.first) % address.step === 0
    case 'more':
    case 'multiple':
    case 'pattern':
    default:
      return matches(address)
  }
}

function untilOf(to: Address, line: number): number | null {
  if (to.kind === 'line') return to.line
  if (to.kind === 'more') return line + to.lines
  if (to.kind === 'multiple') return to.of <= 0 ? line : Math.ceil(line / to.of) * to.of
  return null
}
