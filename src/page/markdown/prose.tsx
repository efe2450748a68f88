// Shows Markdown, complete or growing. The first text loads the parser; until then, the text is shown unformatted.

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'

import { pause } from '../../lib/pause.ts'
import { beforeNextFrame } from '../lib/next-frame.ts'
import type { LiveMarkdown } from './live.tsx'
import { nextPart } from './next-part.ts'

export interface ProseProps {
  readonly text: string
  /** Whether the text is complete. */
  readonly done: boolean
}

type CreateLive = (now: () => number) => LiveMarkdown

const loadedCreateLive = signal<CreateLive | null>(null)
let loading: Promise<void> | null = null

/** Loads the parser before the first text, which is then formatted at once. */
export function preloadProse(): void {
  loading ??= load()
}

/** Loads the parser once. After a network failure, the next text tries again. */
async function load(): Promise<void> {
  try {
    const { createLiveMarkdown } = await import('./live.tsx')
    // Keys that were pressed meanwhile are handled before the first text is rendered.
    await pause(0)
    loadedCreateLive.value = createLiveMarkdown
  } catch {
    loading = null
  }
}

export function Prose({ text, done }: ProseProps) {
  const createLive = loadedCreateLive.value
  useEffect(() => {
    if (!createLive) preloadProse()
  }, [createLive])
  return (
    <div class="prose" dir="auto">
      {createLive ? <Blocks text={text} done={done} createLive={createLive} /> : <p class="plain">{text}</p>}
    </div>
  )
}

/**
 * The formatted text. Parses while rendering, but waits for the pause that `live` asks for; newer text appears after it. A text
 * that grows faster than it can be shown appears in parts, so that keys never wait for a long one.
 */
function Blocks({ text, done, createLive }: ProseProps & { readonly createLive: CreateLive }) {
  const [, redraw] = useState(0)
  const state = useRef<{
    live: LiveMarkdown
    text: string | null
    done: boolean
    nextParseAt: number
  } | null>(null)
  const now = (): number => performance.now()
  const current = (state.current ??= { live: createLive(now), text: null, done: false, nextParseAt: 0 })
  const isStale = current.text !== text || current.done !== done
  const waitMs = done ? 0 : current.nextParseAt - now()
  if (isStale && waitMs <= 0) {
    const next = done && current.text === null ? text : nextPart(current.text ?? '', text)
    current.text = next
    current.done = done && next === text
    current.live.update(next, current.done)
    current.nextParseAt = now() + current.live.pauseMs()
  }
  useEffect(() => {
    if (current.text === text && current.done === done) return
    const timer = setTimeout(() => beforeNextFrame(() => redraw((times) => times + 1)), waitMs)
    return () => clearTimeout(timer)
  })
  return <>{current.live.render()}</>
}
