// A file as a picture. The page sets the media type, whatever the server or the model says. Fetched when it scrolls into view.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { trouble } from '../lib/failure.ts'
import { PICTURE_AHEAD_PX } from './limits.ts'

export interface PictureProps {
  readonly href: string
  readonly type: string
  readonly title: string
  /** Changes with the bytes. */
  readonly version?: string | undefined
}

const BROKEN = 'This file cannot be shown as a picture. Download it to open it.'

export function Picture({ href, type, title, version }: PictureProps) {
  const { session } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const url = useSignal<string | null>(null)
  const why = useSignal('')
  useLayoutEffect(() => {
    let left = false
    let made: string | null = null
    const load = async (): Promise<void> => {
      const got = await session.client.peek()?.bytes(href)
      if (!got || left) return
      if (!got.ok) {
        why.value = `The picture could not be loaded. ${trouble('', got.error).detail}`
        return
      }
      made = URL.createObjectURL(new Blob([got.value], { type }))
      why.value = ''
      url.value = made
    }
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        seen.disconnect()
        void load()
      },
      { rootMargin: `${PICTURE_AHEAD_PX}px` },
    )
    if (box.current) seen.observe(box.current)
    return () => {
      left = true
      seen.disconnect()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [href, type, version])
  // A drawn picture no longer needs its object URL.
  const release = (): void => {
    if (url.peek() !== null) URL.revokeObjectURL(url.peek() ?? '')
  }
  return (
    <div class="picture" ref={box}>
      {why.value ? (
        <p class="quiet">{why.value}</p>
      ) : url.value === null ? (
        <p class="quiet">Loading the picture…</p>
      ) : (
        <img
          src={url.value}
          alt={title}
          onLoad={release}
          onError={() => {
            release()
            why.value = BROKEN
          }}
        />
      )}
    </div>
  )
}
