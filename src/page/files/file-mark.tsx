// The mark before a file's name: a thumbnail of a picture, or the icon of its kind.

import { Icon, type IconName } from '../parts/icon.tsx'
import { extensionOf, pictureType } from '../run/files.ts'
import { previewKind } from '../state/files/preview.ts'
import { THUMBNAIL_MAX_BYTES } from './limits.ts'
import { usePicture, type PictureSource } from './use-picture.ts'

const ARCHIVES = new Set('zip gz tgz tar bz2 xz 7z rar skill'.split(' '))
const TABLES = new Set('xlsx xls ods parquet'.split(' '))
const DOCUMENTS = new Set('pdf docx doc odt rtf epub pptx ppt txt tex rst log'.split(' '))

/** The icon of a file's kind: table, document, code, image, archive, or other. */
export function iconOf(path: string): IconName {
  const extension = extensionOf(path)
  const kind = previewKind(path)
  if (pictureType(path)) return 'image'
  if (kind === 'table' || TABLES.has(extension)) return 'table'
  if (kind === 'prose' || kind === 'page' || DOCUMENTS.has(extension)) return 'document'
  if (ARCHIVES.has(extension)) return 'archive'
  return kind === 'text' ? 'code' : 'file'
}

export interface FileMarkProps {
  /** The path or name of the file. */
  readonly path: string
  readonly bytes: number
  /** Where the file is, or '' if it is not stored yet. */
  readonly href: string
  readonly version?: string
  /** The bytes, if this browser has them. */
  readonly content?: Blob | null
}

export function FileMark({ path, bytes, href, version, content = null }: FileMarkProps) {
  const mediaType = pictureType(path)
  if (mediaType === null || bytes > THUMBNAIL_MAX_BYTES || (href === '' && !content))
    return <Icon name={iconOf(path)} />
  return <Thumbnail href={href} mediaType={mediaType} version={version} content={content} />
}

/** Decorative: the name next to it says which file it is. */
function Thumbnail(source: PictureSource) {
  const { box, url, error, onLoad, onError } = usePicture<HTMLSpanElement>(source)
  return (
    <span class="thumbnail" ref={box} aria-hidden="true">
      {error || url === null ? (
        <Icon name="image" />
      ) : (
        <img src={url} alt="" onLoad={onLoad} onError={onError} />
      )}
    </span>
  )
}
