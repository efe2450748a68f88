// A code block: its language, a copy button, and its lines in a scroll box; coloured when complete.

import { useEffect, useRef, useState } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { copyText } from '../lib/clipboard.ts'
import { CODE_FOLD_LINES, CODE_FOLDED_LINES, HIGHLIGHT_CHARS } from './limits.ts'
import { COPIED_MS } from '../lib/limits.ts'
import { Button } from '../parts/button.tsx'
import { highlight } from './highlight.ts'
import { languageOf } from './languages.ts'
import type { ColouredText } from './paint.ts'
import { useScrollable } from './scrollable.ts'

export interface CodeProps {
  readonly text: string
  /** The language as the fence names it, or ''. */
  readonly language: string
  /** Still growing: not coloured and not folded, so that nothing moves when it ends. */
  readonly live?: boolean
  /** Never folded: the user opened this file to see it. */
  readonly whole?: boolean
}

export function CodeBlock({ text, language, live = false, whole = false }: CodeProps) {
  const { grammar, shown } = languageOf(language)
  const runs = useColours(text, live ? null : grammar)
  const box = useScrollable<HTMLPreElement>()
  const grew = useRef(live)
  const [open, setOpen] = useState(false)
  const lines = live || whole || grew.current || open ? 0 : count(text)
  const folded = lines > CODE_FOLD_LINES
  return (
    <div class="code">
      <div class="code-head">
        <span class="code-language">{shown || 'Code'}</span>
        <Copy text={text} />
      </div>
      <pre ref={box} class={folded ? 'folded' : undefined} dir="ltr">
        <code>{folded ? cut(runs ?? [[text, null]]).map(coloured) : runs ? runs.map(coloured) : text}</code>
      </pre>
      {folded && (
        <Button kind="plain" class="code-more" onPress={() => setOpen(true)}>
          Show all {lines} lines
        </Button>
      )}
    </div>
  )
}

/** Copies the source, not the displayed text. */
function Copy({ text }: { readonly text: string }) {
  const { say } = useApp()
  const [outcome, setOutcome] = useState('')
  useEffect(() => {
    if (outcome === '') return
    const timer = setTimeout(() => setOutcome(''), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    const message = (await copyText(text)) ? 'Copied' : 'Not copied'
    setOutcome(message)
    say(message)
  }
  return (
    <Button kind="plain" class="code-copy" label={outcome || 'Copy code'} onPress={() => void copy()}>
      {outcome || 'Copy'}
    </Button>
  )
}

function useColours(
  text: string,
  grammar: ReturnType<typeof languageOf>['grammar'],
): readonly ColouredText[] | null {
  const [painted, setPainted] = useState<{
    readonly of: string
    readonly runs: readonly ColouredText[] | null
  }>()
  useEffect(() => {
    if (grammar === null || text.length > HIGHLIGHT_CHARS) return
    let left = false
    void highlight(text, grammar).then((runs) => {
      if (!left) setPainted({ of: text, runs })
    })
    return () => {
      left = true
    }
  }, [text, grammar])
  return painted?.of === text ? painted.runs : null
}

function coloured([text, colour]: ColouredText, at: number) {
  return colour === null ? (
    text
  ) : (
    <span key={at} class={`hl-${colour}`}>
      {text}
    </span>
  )
}

function count(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** The first lines. */
function cut(runs: readonly ColouredText[]): readonly ColouredText[] {
  const first: ColouredText[] = []
  let left = CODE_FOLDED_LINES
  for (const [text, colour] of runs) {
    const lines = text.split('\n')
    first.push([lines.slice(0, left).join('\n'), colour])
    left -= lines.length - 1
    if (left <= 0) break
  }
  return first
}
