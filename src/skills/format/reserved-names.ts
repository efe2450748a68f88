// Words behind a slash that are no skill. One list for who reads messages and for who names skills.

/** Words that clients keep for themselves, as in deer-flow's contract: never a skill, passed on as text. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'bootstrap',
  'goal',
  'help',
  'memory',
  'models',
  'new',
  'status',
])
