// Shows a file as a picture. The page sets the media type, whatever the server or the model says. The file is fetched shortly
// before it scrolls into view.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { describeFailure } from '../lib/failure.ts'
import { PICTURE_AHEAD_PX } from './limits.ts'

export interface PictureProps {
  readonly href: string
  readonly mediaType: string
  readonly title: string
  /** Changes whenever the file's bytes change. */
  readonly version?: string | undefined
}

const BROKEN_PICTURE_TEXT = 'This file cannot be shown as a picture. Download it to open it.'

export function Picture({ href, mediaType, title, version }: PictureProps) {
  const { session } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const shownUrl = useSignal<string | null>(null)
  const error = useSignal('')
  useLayoutEffect(() => {
    let isCancelled = false
    let objectUrl: string | null = null
    const load = async (): Promise<void> => {
      const result = await session.client.peek()?.bytes(href)
      if (!result || isCancelled) return
      if (!result.ok) {
        error.value = `The picture could not be loaded. ${describeFailure('', result.error).detail}`
        return
      }
      objectUrl = URL.createObjectURL(new Blob([result.value], { type: mediaType }))
      error.value = ''
      shownUrl.value = objectUrl
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        void load()
      },
      { rootMargin: `${PICTURE_AHEAD_PX}px` },
    )
    if (box.current) observer.observe(box.current)
    return () => {
      isCancelled = true
      observer.disconnect()
      if (objectUrl !== null) URL.revokeObjectURL(objectUrl)
    }
  }, [href, mediaType, version])
  // A picture that has been drawn no longer needs its object URL.
  const release = (): void => {
    if (shownUrl.peek() !== null) URL.revokeObjectURL(shownUrl.peek() ?? '')
  }
  return (
    <div class="picture" ref={box}>
      {error.value ? (
        <p class="quiet">{error.value}</p>
      ) : shownUrl.value === null ? (
        <p class="quiet">Loading the picture…</p>
      ) : (
        <img
          src={shownUrl.value}
          alt={title}
          onLoad={release}
          onError={() => {
            release()
            error.value = BROKEN_PICTURE_TEXT
          }}
        />
      )}
    </div>
  )
}
