// What the chat writes to: separate lines, text as it arrives, and a status. Types only: plain-screen.ts and
// rich-screen.ts implement them.

export type OutputKind = 'text' | 'thinking'

export interface Screen {
  /** The width of a row. */
  readonly columns: number
  /** One or more separate lines; harmless already, may contain styles. `style`: for all of it. */
  line(text: string, style?: 'dim'): void
  /** The same, never wrapped: a command to copy. */
  verbatim(text: string, style?: 'dim'): void
  /** A name and its description. */
  row(name: string, about: string): void
  /** An error, on standard error; made harmless here. */
  fault(text: string): void
  /** A blank line, unless there is one already. */
  gap(): void
  /** More text from the model. */
  say(kind: OutputKind, text: string): void
  /** The answer starts over for `reason`: repeated text need not be shown twice. */
  restart(reason: string): void
  /** The answer is complete. */
  close(): void
  /** A short status; null if there is none: then the last line is free. */
  status(text: string | null): void
}

/** The column where a row's text begins. */
export const NAME_COLUMNS = 19

export type Write = (text: string) => void
