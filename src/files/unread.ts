// The error for changing a file whose current content the model has not read.

import { fullPath } from './path.ts'

export function unread(path: string): string {
  const full = fullPath(path)
  return `Not written: ${full} exists, and you have not read its current content. Read it with read_file first, then write in the next step. Or choose another path, as for a document, of which read_file shows only the text.`
}
