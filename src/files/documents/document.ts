// The port: bytes of a document become text. Plain types; who reads and where is reader.ts and its child.

import type { ToolCall } from '../../agent/tool.ts'
import type { Result } from '../../lib/result.ts'

export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'html'

export interface DocumentText {
  /** Markdown. `## Page 3` or `## Sheet Sales` stands before each part; a row of a table is one line. */
  readonly text: string
  /** Pages or sheets of the document, of which `text` may hold fewer; 1 of a kind that has none. */
  readonly parts: number
  /** Why not all of it is there, in words for the model; null: all of it is. */
  readonly cut: string | null
  /** Of a page: the addresses of its links that show, those of its article first; absolute, without `#`, each once. */
  readonly links?: readonly string[]
}

/** What whoever brought the bytes knows of them; only pages ask. */
export interface DocumentHints {
  /** The address that links are relative to. */
  readonly base?: string
  /** The charset that the sender named. */
  readonly charset?: string
}

export interface DocumentReader {
  /** Fails with words for the model: what is wrong with the document, and what to do. Never throws. */
  read(
    kind: DocumentKind,
    bytes: Uint8Array,
    asked: Pick<ToolCall, 'signal' | 'queue'>,
    hints?: DocumentHints,
  ): Promise<Result<DocumentText, string>>
}
