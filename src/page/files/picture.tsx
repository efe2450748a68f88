// Shows a file as a picture, in full.

import { usePicture } from './use-picture.ts'

export interface PictureProps {
  readonly href: string
  readonly mediaType: string
  readonly title: string
  /** Changes whenever the file's bytes change. */
  readonly version?: string | undefined
}

export function Picture({ title, ...source }: PictureProps) {
  const { box, url, error, onLoad, onError } = usePicture<HTMLDivElement>(source)
  return (
    <div class={url === null ? 'picture loading' : 'picture'} ref={box}>
      {error ? (
        <p class="quiet">{error}</p>
      ) : url === null ? (
        <p class="quiet">Loading the picture…</p>
      ) : (
        <img src={url} alt={title} onLoad={onLoad} onError={onError} />
      )}
    </div>
  )
}
