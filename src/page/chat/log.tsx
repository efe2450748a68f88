// The conversation: its newest turns, a button for earlier turns, and a button that scrolls to the end. turn-view.tsx renders
// each turn; scroll.ts controls the scrolling.

import { useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { formatNumber } from '../lib/format.ts'
import { TURNS_PER_BATCH } from './limits.ts'
import { useScrollable } from '../markdown/scrollable.ts'
import { Button } from '../parts/button.tsx'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/chat/turn.ts'
import { createScroll, type Scroll } from './scroll.ts'
import { TurnView } from './turn-view.tsx'
import { useFillInTurn } from './fill-in-turn.ts'
import { countTurnsAtOnce } from './turns-at-once.ts'

export interface LogProps {
  /** Shown above the turns: notices about the whole conversation. */
  readonly children?: ComponentChildren
}

export function Log({ children }: LogProps) {
  const { conversation } = useApp()
  const turns = conversation.turns.value
  const box = useScrollable<HTMLDivElement>()
  const content = useRef<HTMLDivElement>(null)
  const spacer = useRef<HTMLDivElement>(null)
  const scroll = useRef<Scroll | null>(null)
  const restorePosition = useRef<(() => void) | null>(null)
  const isBeginningHidden = useSignal(false)
  const isEndHidden = useSignal(false)
  const firstTurn = useFirstTurn(turns)
  const atOnce = countTurnsAtOnce(turns, conversation.branches.pendingSwitch.peek()?.at)

  useLayoutEffect(() => {
    if (!box.current || !content.current || !spacer.current) return
    const { offsetWidth, clientWidth } = box.current
    box.current.style.setProperty('--gutter', `${(offsetWidth - clientWidth) / 2}px`)
    const newScroll = createScroll({
      box: box.current,
      content: content.current,
      spacer: spacer.current,
      onHidden: (isBeginningHiddenNow, isEndHiddenNow) => {
        isBeginningHidden.value = isBeginningHiddenNow
        isEndHidden.value = isEndHiddenNow
      },
    })
    scroll.current = newScroll
    return () => newScroll.dispose()
  }, [])
  useScrollOnNewTurn(turns, content, scroll)
  useScrollOnSwitch(content, scroll)

  useLayoutEffect(() => {
    restorePosition.current?.()
    restorePosition.current = null
  }, [firstTurn.index])
  return (
    <div class={isBeginningHidden.value ? 'log-room scrolled' : 'log-room'}>
      <div ref={box} id="log" role="region" aria-label="Conversation" aria-live="off">
        <div ref={content} class="log-content">
          {firstTurn.index > 0 && (
            <Button
              kind="plain"
              class="earlier"
              onPress={() => {
                restorePosition.current = scroll.current?.keepPosition() ?? null
                firstTurn.showEarlier()
                box.current?.focus({ preventScroll: true })
              }}
            >
              Show earlier ({formatNumber(firstTurn.index)} more)
            </Button>
          )}
          {children}
          {turns.slice(firstTurn.index).map((turn, at, shown) => (
            <TurnSlot key={turn.key} turn={turn} isNearEnd={shown.length - at <= atOnce} />
          ))}
        </div>
        <div ref={spacer} />
      </div>
      {isEndHidden.value && (
        <Button
          class="to-end"
          icon="arrow-down"
          label="Jump to the end"
          onPress={() => {
            scroll.current?.followEnd()
            box.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}

/** One turn. The browser lays out a finished turn only near the viewport; elsewhere the turn keeps its last height. */
function TurnSlot({ turn, isNearEnd }: { readonly turn: Turn; readonly isNearEnd: boolean }) {
  const isDone = useComputed(() => hasEnded(turn.run.value))
  const isFilled = useFillInTurn(isNearEnd)
  return (
    <div data-turn={turn.key} class={isDone.value ? 'slot done' : 'slot'}>
      {isFilled ? <TurnView turn={turn} /> : <div class="unfilled" />}
    </div>
  )
}

/** The first turn to render. It stays the same while turns are added. */
function useFirstTurn(turns: readonly Turn[]): { readonly index: number; showEarlier(): void } {
  const key = useRef<string | null>(null)
  const [, redraw] = useState(0)
  let index = turns.findIndex((turn) => turn.key === key.current)
  if (index < 0) index = Math.max(0, turns.length - TURNS_PER_BATCH)
  key.current = turns[index]?.key ?? null
  return {
    index,
    showEarlier() {
      key.current = turns[Math.max(0, index - TURNS_PER_BATCH)]?.key ?? null
      redraw((times) => times + 1)
    },
  }
}

/** An opened conversation scrolls to its end; a sent question scrolls to the top. */
function useScrollOnNewTurn(
  turns: readonly Turn[],
  content: RefObject<HTMLElement | null>,
  scroll: RefObject<Scroll | null>,
): void {
  const previousTurns = useRef<readonly Turn[]>([])
  useLayoutEffect(() => {
    const previousKeys = new Set(previousTurns.current.map(({ key }) => key))
    previousTurns.current = turns
    const last = turns.at(-1)
    if (!last || previousKeys.has(last.key)) return
    const element = [...(content.current?.querySelectorAll<HTMLElement>('[data-turn]') ?? [])].at(-1)
    if (last.sendKey !== '' && element) scroll.current?.showAtTop(element)
    else if (!turns.some(({ key }) => previousKeys.has(key))) scroll.current?.startAtEnd()
  }, [turns])
}

/** Another branch shows its version of the question at the same place. */
function useScrollOnSwitch(content: RefObject<HTMLElement | null>, scroll: RefObject<Scroll | null>): void {
  const { branches, info, turns } = useApp().conversation
  const shownId = info.value?.id
  useLayoutEffect(() => {
    const pending = branches.pendingSwitch.peek()
    if (!pending || pending.threadId !== shownId) return
    branches.pendingSwitch.value = null
    const key = turns.peek().find(({ question }) => question.peek().messagesBefore === pending.at)?.key
    const element = [...(content.current?.querySelectorAll<HTMLElement>('[data-turn]') ?? [])].find(
      (slot) => slot.dataset['turn'] === key,
    )
    if (element) scroll.current?.showAtTop(element, pending.offset)
  }, [shownId])
}
