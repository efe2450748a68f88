// Names that clients use as commands. A skill with such a name cannot be called by it.

/** Commands of clients, as in deer-flow's contract. A message that starts with one is treated as plain text. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'bootstrap',
  'goal',
  'help',
  'memory',
  'models',
  'new',
  'status',
])
