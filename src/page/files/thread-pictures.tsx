// Pictures in Markdown that are files of the open thread. All other pictures stay links.

import type { ComponentChildren } from 'preact'

import { useApp } from '../state/app.ts'
import { MarkdownPictures } from '../markdown/pictures.tsx'
import { fileHref, pictureType, threadPath } from '../run/files.ts'
import { usePicture } from './use-picture.ts'

export interface ThreadPicturesProps {
  /** The folder of the Markdown file, to which its other paths are relative; null for an answer. */
  readonly folder?: string | null
  readonly children: ComponentChildren
}

export function ThreadPictures({ folder = null, children }: ThreadPicturesProps) {
  const { conversation } = useApp()
  const threadId = conversation.threadId.value
  const draw = (source: string, text: string) => {
    const path = picturePath(source, folder)
    const mediaType = path === null ? null : pictureType(path)
    if (threadId === null || path === null || mediaType === null) return null
    return <InlinePicture path={path} href={fileHref(threadId, path)} mediaType={mediaType} text={text} />
  }
  return <MarkdownPictures.Provider value={draw}>{children}</MarkdownPictures.Provider>
}

/** The path of a picture below the root of the thread's files, or null if it is elsewhere. */
export function picturePath(source: string, folder: string | null): string | null {
  let written = source
  try {
    written = decodeURIComponent(source)
  } catch {
    // Not percent-encoded: the path itself contains a percent sign.
  }
  const isRelative = folder !== null && !/^[a-z][a-z\d+.-]*:|^[/\\]/i.test(written)
  const path = threadPath(isRelative ? `/mnt/user-data/${folder}/${written}` : written)
  return path === null || path.split('/').includes('..') ? null : path
}

interface InlinePictureProps {
  readonly path: string
  readonly href: string
  readonly mediaType: string
  /** The alternative text. */
  readonly text: string
}

function InlinePicture({ path, href, mediaType, text }: InlinePictureProps) {
  const { panel } = useApp()
  const { box, url, error, onLoad, onError } = usePicture<HTMLButtonElement>({ href, mediaType })
  return (
    <button
      ref={box}
      type="button"
      class="inline-picture"
      title={`Open ${path}`}
      onClick={(event) => {
        // The picture may be in a link.
        event.preventDefault()
        panel.show(path)
      }}
    >
      {error || url === null ? text : <img src={url} alt={text} onLoad={onLoad} onError={onError} />}
    </button>
  )
}
