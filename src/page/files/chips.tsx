// The files sent with a message: pictures as tiles, others as chips. Each opens in the files panel.

import { useApp } from '../state/app.ts'
import { formatSize } from '../lib/format.ts'
import { nameOf, pictureType, type SentFile } from '../run/files.ts'
import { FileMark } from './file-mark.tsx'
import { FileName } from './file-name.tsx'
import { THUMBNAIL_MAX_BYTES } from './limits.ts'

export function FileChips({ files }: { readonly files: readonly SentFile[] }) {
  const { panel } = useApp()
  if (files.length === 0) return null
  return (
    <ul class="chips sent" aria-label="Files of the message">
      {files.map(({ path, bytes, href }) => (
        <li key={path}>
          <button
            type="button"
            class={isTile(path, bytes) ? 'chip tile' : 'chip'}
            onClick={() => panel.show(path)}
          >
            <FileMark path={path} bytes={bytes} href={href} />
            <FileName name={nameOf(path)} />
            <small>{formatSize(bytes)}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}

function isTile(path: string, bytes: number): boolean {
  return pictureType(path) !== null && bytes <= THUMBNAIL_MAX_BYTES
}
