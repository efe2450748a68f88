// A text of Markdown, whole or as it grows. Until the parser has come, which is asked for with the first text, the text
// stands there as it is.

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { Live } from './live.tsx'

export interface ProseProps {
  readonly text: string
  /** Nothing will come any more. */
  readonly done: boolean
}

type Make = (now: () => number) => Live

const parser = signal<Make | null>(null)
let loading: Promise<void> | null = null

/** Asks for the parser; it comes once. Without a line it is asked for again with the next text. */
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

/**
 * The parsed text. It is parsed as it is drawn, no more often than is worth its work: what came meanwhile is drawn when that
 * time is over.
 */
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
