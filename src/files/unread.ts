// The words for a change of a file that the model has not read as it is now.

import { fullPath } from './path.ts'

export function unread(path: string): string {
  const full = fullPath(path)
  return `Not written: ${full} exists, and you have not read what is in it now. Read it with read_file first; in the step after that, write. Or choose another path, as for a document, of which read_file shows the text alone.`
}
