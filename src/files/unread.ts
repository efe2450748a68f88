// The message for a write to a file with content that the model has not read.

import { fullPath } from './path.ts'

export function unreadMessage(path: string): string {
  return `Not written: ${fullPath(path)} already exists, and you have not read its current content. Read it with read_file, then write in the next step. If it is a document, of which read_file shows only the text, choose another path.`
}
