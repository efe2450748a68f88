// The interface to which the chat writes separate lines, streamed text, and a status. Types only;
// plain-screen.ts and rich-screen.ts implement it.

export type OutputKind = 'text' | 'thinking'

export interface Screen {
  /** The width of a row. */
  readonly columns: number
  /** Writes one or more separate lines. The text must already be harmless; it may contain styles. */
  line(text: string, style?: 'dim'): void
  /** Like `line`, but never wraps, so that a command can be copied. */
  verbatim(text: string, style?: 'dim'): void
  /** Writes a name and its description. */
  row(name: string, description: string): void
  /** Makes an error message harmless and writes it to standard error. */
  fault(text: string): void
  /** Writes a blank line, unless the last line is blank. */
  gap(): void
  /** Writes more text from the model. */
  say(kind: OutputKind, text: string): void
  /** The model starts its answer over, for `reason`; the screen need not show repeated text twice. */
  restart(reason: string): void
  /** Ends the current answer. */
  close(): void
  /** Shows a short status in the last line; null removes it. */
  status(text: string | null): void
  /** Shows text after the status: what is being typed, or which keys are available. Null removes it. */
  typing(text: string | null): void
}

/** The column in which the description of a row begins. */
export const NAME_COLUMNS = 19

export type Write = (text: string) => void
