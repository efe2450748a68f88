// Files that went with a message.

import { size } from '../lib/format.ts'
import { nameOf, type SentFile } from '../run/files.ts'

export function FileChips({ files }: { readonly files: readonly SentFile[] }) {
  if (files.length === 0) return null
  return (
    <ul class="chips" aria-label="Files of the message">
      {files.map(({ path, bytes }) => (
        <li key={path}>
          {nameOf(path)} · {size(bytes)}
        </li>
      ))}
    </ul>
  )
}
