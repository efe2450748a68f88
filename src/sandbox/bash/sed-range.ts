// Where a range of `sed` (`2,/x/`, `/x/,+1`, `0,/x/`) begins and ends, as GNU sed has it. just-bash looks for the end on the
// line of the beginning already, and keeps one state for all ranges that are written alike.

/** An address as just-bash parses it; `0~4` and patterns are for `matches` alone. */
type Address = number | '$' | { readonly offset: number } | object
export interface Range {
  readonly start: Address
  readonly end?: Address
}
interface State {
  /** The last line of the range that goes on; null: its end is matched. Missing: none goes on. */
  until?: number | null
  /** One that begins at a line's number begins once. */
  begun?: boolean
}
/** just-bash's own map of states, one a run of `sed`. */
export type States = Map<unknown, State>

/** Whether `line` of `last` is in `range`; `matches` judges a single address on it. */
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
  // A numbered end was jumped over (`n`): this line is behind it. GNU sed takes one more behind `+N`.
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
