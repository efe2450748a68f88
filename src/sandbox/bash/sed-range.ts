// Where a range of `sed` (`2,/x/`, `/x/,+1`, `0,/x/`) begins and ends in GNU sed. just-bash searches for the end
// from the first line on and shares one state between ranges with equal text.

/** An address as just-bash parses it; only `matches` handles `0~4` and patterns. */
type Address = number | '$' | { readonly offset: number } | object
export interface Range {
  readonly start: Address
  readonly end?: Address
}
interface State {
  /** The last line of the open range; null: a pattern ends it. Missing: no range is open. */
  until?: number | null
  /** A range that begins at a line number begins once. */
  begun?: boolean
}
/** just-bash's own map of states, one for each run of `sed`. */
export type States = Map<unknown, State>

/** Whether `line` of `last` is in `range`; `matches` tests a single address against it. */
export function inRange(
  range: Range,
  states: States,
  line: number,
  last: number,
  matches: (address: Address) => boolean,
): boolean {
  const { start, end } = range
  if (end === undefined) return matches(start)
  const state = states.get(range) ?? {}
  states.set(range, state)
  if (state.until === undefined) {
    if (!begins(start, state, line, matches)) return false
    state.begun = true
    const until = untilOf(end, line, last)
    if (until === null ? start === 0 && matches(end) : until <= line) return true
    state.until = until
    return true
  }
  const { until } = state
  if (until === null ? matches(end) : line >= until) delete state.until
  // A command such as `n` skipped the numbered end: this line is past it. With `+N`, GNU sed takes one more line.
  return until === null || line <= until || typeof end === 'object'
}

function begins(start: Address, state: State, line: number, matches: (address: Address) => boolean): boolean {
  return typeof start === 'number' ? state.begun !== true && line >= start : matches(start)
}

function untilOf(end: Address, line: number, last: number): number | null {
  if (typeof end === 'number') return end
  if (end === '$') return last
  return typeof end === 'object' && 'offset' in end ? line + Number(end.offset) : null
}
