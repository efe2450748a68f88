// The versions of a question: which one is shown, and buttons that show the others in place.

import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { Button } from '../parts/button.tsx'
import type { BranchSwitch } from '../state/chat/branches.ts'
import type { Turn } from '../state/chat/turn.ts'
import { threadRoute } from '../state/frame/route.ts'

export function Versions({ turn }: { readonly turn: Turn }) {
  const { announce, conversation, route } = useApp()
  const { branches } = conversation
  const group = useRef<HTMLDivElement>(null)
  const point = branches.pointOf(turn)
  const position = point && `${point.index + 1}/${point.versions.length}`
  useLayoutEffect(() => {
    const pending = branches.pendingSwitch.peek()
    if (position === null || !pending || pending.threadId !== conversation.info.peek()?.id) return
    if (pending.at !== turn.question.peek().messagesBefore) return
    // The buttons are new elements, so the focus would be lost.
    group.current
      ?.querySelector<HTMLElement>(pending.direction === 'next' ? 'button:last-child' : 'button')
      ?.focus({ preventScroll: true })
    announce(`Version ${position.replace('/', ' of ')}`)
  }, [position])
  if (!point || position === null) return null
  const show = (direction: BranchSwitch['direction']): void => {
    const threadId = branches.neighbour(turn, direction)
    const element = group.current?.closest('[data-turn]')
    const box = element?.closest('#log')
    if (threadId === null || !element || !box) return
    branches.pendingSwitch.value = {
      threadId,
      at: turn.question.peek().messagesBefore ?? 0,
      direction,
      offset: element.getBoundingClientRect().top - box.getBoundingClientRect().top,
    }
    route.go(threadRoute(threadId))
  }
  return (
    <div
      ref={group}
      class="versions"
      role="group"
      aria-label={`Version ${position.replace('/', ' of ')} of this question`}
    >
      <Button
        kind="plain"
        icon="chevron-left"
        label="Previous version"
        isBusy={point.index === 0}
        onPress={() => show('previous')}
      />
      <span>{position}</span>
      <Button
        kind="plain"
        icon="chevron-right"
        label="Next version"
        isBusy={point.index === point.versions.length - 1}
        onPress={() => show('next')}
      />
    </div>
  )
}
