// What an answer is written to: lines of their own, text as it comes, and what is being done meanwhile. Shapes only: plain-screen.ts
// and rich-screen.ts write.

export type OutputKind = 'text' | 'thinking'

export interface Screen {
  /** How wide a row may be. */
  readonly columns: number
  /** A line of its own, or several; harmless already, styles may stand in it. `style`: for all of it. */
  line(text: string, style?: 'dim'): void
  /** The same, never wrapped: a command that is copied. */
  verbatim(text: string, style?: 'dim'): void
  /** What something is called, and what it is. */
  row(name: string, about: string): void
  /** What went wrong, on standard error; made harmless here. */
  fault(text: string): void
  /** A blank line, where none stands above. */
  gap(): void
  /** More of what the model says. */
  say(kind: OutputKind, text: string): void
  /** What is said begins again, for the reason that `words` give: what is repeated need not be shown twice. */
  restart(words: string): void
  /** What was said is complete. */
  close(): void
  /** What is being done, in a few words; null: nothing, and the last line is free for others. */
  status(words: string | null): void
}

/** Where a row's text begins. */
export const NAME_COLUMNS = 19

export type Write = (text: string) => void
