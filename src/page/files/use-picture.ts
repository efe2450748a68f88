// Loads a picture shortly before it scrolls into view. The page sets its media type, whatever the server or the model says.

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { describeFailure } from '../lib/failure.ts'
import { PICTURE_AHEAD_PX } from './limits.ts'

export interface PictureSource {
  readonly href: string
  readonly mediaType: string
  /** Changes whenever the file's bytes change. */
  readonly version?: string | undefined
  /** The bytes, if this browser has them. */
  readonly content?: Blob | null
}

export interface LoadedPicture<T extends HTMLElement> {
  /** The picture is loaded when this element is near the viewport. */
  readonly box: RefObject<T | null>
  readonly url: string | null
  /** Why there is no picture, or ''. */
  readonly error: string
  readonly onLoad: () => void
  readonly onError: () => void
}

const BROKEN_PICTURE_TEXT = 'This file cannot be shown as a picture. Download it to open it.'

export function usePicture<T extends HTMLElement>({
  href,
  mediaType,
  version,
  content = null,
}: PictureSource): LoadedPicture<T> {
  const { session } = useApp()
  const box = useRef<T>(null)
  const shownUrl = useSignal<string | null>(null)
  const error = useSignal('')
  useLayoutEffect(() => {
    let isCancelled = false
    let objectUrl: string | null = null
    const show = (bytes: BlobPart): void => {
      objectUrl = URL.createObjectURL(new Blob([bytes], { type: mediaType }))
      error.value = ''
      shownUrl.value = objectUrl
    }
    const load = async (): Promise<void> => {
      if (content) return show(content)
      const result = await session.client.peek()?.bytes(href)
      if (!result || isCancelled) return
      if (result.ok) show(result.value)
      else error.value = `The picture could not be loaded. ${describeFailure('', result.error).detail}`
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
  }, [href, mediaType, version, content])
  // A picture that has been drawn no longer needs its object URL.
  const release = (): void => {
    if (shownUrl.peek() !== null) URL.revokeObjectURL(shownUrl.peek() ?? '')
  }
  return {
    box,
    url: shownUrl.value,
    error: error.value,
    onLoad: release,
    onError: () => {
      release()
      error.value = BROKEN_PICTURE_TEXT
    },
  }
}
