// Names that a skill cannot have, because clients use them as commands. One list for parsing messages and for naming
// skills.

/** Commands that clients reserve, as in deer-flow's contract: passed on as text. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'bootstrap',
  'goal',
  'help',
  'memory',
  'models',
  'new',
  'status',
])
