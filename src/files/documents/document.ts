// The port that converts documents to text. Contains only types; reader.ts and its isolates implement it.

import type { ToolCall } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'

export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'html'

export interface DocumentText {
  /** The text as Markdown. A heading such as `## Page 3` or `## Sheet Sales` precedes each part, and a table row is one line. */
  readonly text: string
  /** The number of pages or sheets in the document, of which `text` may contain fewer; 1 for other kinds. */
  readonly parts: number
  /** Why the text is incomplete, as a message for the model; null if it is complete. */
  readonly cut: string | null
  /** The absolute addresses of a web page's visible links, without fragments or duplicates. Those of the article come first. */
  readonly links?: readonly string[]
}

/** What the sender knows about the bytes. Only web pages use it. */
export interface DocumentHints {
  /** The address that links are relative to. */
  readonly base?: string
  /** The charset that the sender declared. */
  readonly charset?: string
}

export interface DocumentReader {
  /** Converts a document to text. Fails with a message that tells the model what is wrong and what to do. Never throws. */
  read(
    kind: DocumentKind,
    bytes: Uint8Array,
    call: Pick<ToolCall, 'signal' | 'queue'>,
    hints?: DocumentHints,
  ): Promise<Result<DocumentText, string>>
}
