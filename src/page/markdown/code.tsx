// A code block: a head with its language and buttons, which stays in view, and its lines in a scrollable box. It is highlighted
// once it is complete.

import { useEffect, useRef, useState } from 'preact/hooks'

import { saveAsDownload } from '../lib/save.ts'
import { CODE_UNFOLDED_LINES_MAX, CODE_FOLDED_LINES, HIGHLIGHT_CHARS_MAX } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from './copy-button.tsx'
import { downloadName, languageOf } from './languages.ts'
import type { ColouredText } from './paint.ts'
import { useScrollable } from './scrollable.ts'
import { highlight } from './workers.ts'

export interface CodeProps {
  readonly text: string
  /** The fence's info string, which names the language, or ''. */
  readonly language: string
  /** The text is still growing. It is then neither highlighted nor folded, so that nothing moves when it ends. */
  readonly isGrowing?: boolean
  /** The user opened this file to read it: the block is never folded, and the file has its own download. */
  readonly isNeverFolded?: boolean
}

export function CodeBlock({ text, language, isGrowing = false, isNeverFolded = false }: CodeProps) {
  const { grammar, displayName } = languageOf(language)
  const runs = useColours(text, isGrowing ? null : grammar)
  const box = useScrollable<HTMLPreElement>()
  const wasGrowing = useRef(isGrowing)
  const [isOpen, setOpen] = useState(false)
  const [isWrapped, setWrapped] = useState(false)
  const lines = isGrowing || isNeverFolded || wasGrowing.current || isOpen ? 0 : countLines(text)
  const isFolded = lines > CODE_UNFOLDED_LINES_MAX
  return (
    <div class="code">
      <div class="code-head">
        <span class="code-language">{displayName || 'Code'}</span>
        <span class="code-buttons">
          <Button
            kind="plain"
            icon="wrap"
            label="Wrap lines"
            class="code-wrap"
            isPressed={isWrapped}
            onPress={() => setWrapped(!isWrapped)}
          />
          {!isNeverFolded && (
            <Button
              kind="plain"
              icon="download"
              label={`Download as ${downloadName(language)}`}
              class="code-download"
              onPress={() => saveAsDownload(new TextEncoder().encode(text), downloadName(language))}
            />
          )}
          <CopyButton label="Copy code" caption="Copy" text={() => text} />
        </span>
      </div>
      <pre
        ref={box}
        class={[isFolded && 'folded', isWrapped && 'wrapped'].filter(Boolean).join(' ')}
        dir="ltr"
      >
        <code>
          {isFolded ? firstLines(runs ?? [[text, null]]).map(renderRun) : runs ? runs.map(renderRun) : text}
        </code>
      </pre>
      {isFolded && (
        <Button kind="plain" class="code-more" onPress={() => setOpen(true)}>
          Show all {lines} lines
        </Button>
      )}
    </div>
  )
}

function useColours(
  text: string,
  grammar: ReturnType<typeof languageOf>['grammar'],
): readonly ColouredText[] | null {
  const [highlighted, setHighlighted] = useState<{
    readonly source: string
    readonly runs: readonly ColouredText[] | null
  }>()
  useEffect(() => {
    if (grammar === null || text.length > HIGHLIGHT_CHARS_MAX) return
    let isCancelled = false
    void highlight({ code: text, grammar }).then((runs) => {
      if (!isCancelled) setHighlighted({ source: text, runs })
    })
    return () => {
      isCancelled = true
    }
  }, [text, grammar])
  return highlighted?.source === text ? highlighted.runs : null
}

function renderRun([text, colour]: ColouredText, index: number) {
  return colour === null ? (
    text
  ) : (
    <span key={index} class={`hl-${colour}`}>
      {text}
    </span>
  )
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** The runs of the first CODE_FOLDED_LINES lines. */
function firstLines(runs: readonly ColouredText[]): readonly ColouredText[] {
  const shownRuns: ColouredText[] = []
  let remainingLines = CODE_FOLDED_LINES
  for (const [text, colour] of runs) {
    const lines = text.split('\n')
    shownRuns.push([lines.slice(0, remainingLines).join('\n'), colour])
    remainingLines -= lines.length - 1
    if (remainingLines <= 0) break
  }
  return shownRuns
}
