// The files sent with a message. Each opens in the files panel.

import { useApp } from '../state/app.ts'
import { formatSize } from '../lib/format.ts'
import { Icon } from '../parts/icon.tsx'
import { nameOf, type SentFile } from '../run/files.ts'

export function FileChips({ files }: { readonly files: readonly SentFile[] }) {
  const { panel } = useApp()
  if (files.length === 0) return null
  return (
    <ul class="chips sent" aria-label="Files of the message">
      {files.map(({ path, bytes }) => (
        <li key={path}>
          <button type="button" class="chip" onClick={() => panel.show(path)}>
            <Icon name="file" />
            <span class="name" dir="auto" title={nameOf(path)}>
              {nameOf(path)}
            </span>
            <small>{formatSize(bytes)}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}
