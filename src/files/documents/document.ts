// The port that converts documents to text. Plain types: the implementation is in reader.ts and its isolates.

import type { ToolCall } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'

export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'html'

export interface DocumentText {
  /** Markdown. `## Page 3` or `## Sheet Sales` precedes each part; a row of a table is one line. */
  readonly text: string
  /** Pages or sheets of the document, of which `text` may have fewer; 1 for other kinds. */
  readonly parts: number
  /** Why the text is incomplete, as a message for the model; null if it is complete. */
  readonly cut: string | null
  /** Of a page: the addresses of its visible links, those of its article first; absolute, without `#`, each once. */
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
  /** Fails with a message for the model: what is wrong with the document, and what to do. Never throws. */
  read(
    kind: DocumentKind,
    bytes: Uint8Array,
    call: Pick<ToolCall, 'signal' | 'queue'>,
    hints?: DocumentHints,
  ): Promise<Result<DocumentText, string>>
}
