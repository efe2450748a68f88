// Markdown, complete or growing. Shows plain text until the parser has loaded; the first text requests it.

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { Live } from './live.tsx'

export interface ProseProps {
  readonly text: string
  /** No more text will come. */
  readonly done: boolean
}

type Make = (now: () => number) => Live

const parser = signal<Make | null>(null)
let loading: Promise<void> | null = null

/** Loads the parser once. After a network failure the next text tries again. */
async function load(): Promise<void> {
  try {
    const { liveMarkdown } = await import('./live.tsx')
    parser.value = liveMarkdown
  } catch {
    loading = null
  }
}

export function Prose({ text, done }: ProseProps) {
  const make = parser.value
  useEffect(() => {
    if (!make) loading ??= load()
  }, [make])
  return (
    <div class="prose" dir="auto">
      {make ? <Blocks text={text} done={done} make={make} /> : <p class="plain">{text}</p>}
    </div>
  )
}

/** The parsed text. Parses while rendering, at most as often as `rest` allows; later text is drawn after that pause. */
function Blocks({ text, done, make }: ProseProps & { readonly make: Make }) {
  const [, redraw] = useState(0)
  const state = useRef<{ live: Live; text: string | null; done: boolean; due: number } | null>(null)
  const now = (): number => performance.now()
  const own = (state.current ??= { live: make(now), text: null, done: false, due: 0 })
  const stale = own.text !== text || own.done !== done
  const wait = done ? 0 : own.due - now()
  if (stale && wait <= 0) {
    own.live.update(text, done)
    own.text = text
    own.done = done
    own.due = now() + own.live.rest()
  }
  useEffect(() => {
    if (own.text === text && own.done === done) return
    const timer = setTimeout(() => redraw((times) => times + 1), wait)
    return () => clearTimeout(timer)
  })
  return <>{own.live.drawn()}</>
}
