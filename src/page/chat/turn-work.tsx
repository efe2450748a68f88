// The work of a run, folded into one line. Only the user opens it.

import type { ComponentChildren } from 'preact'

import { Icon } from '../parts/icon.tsx'
import { hasEnded, type RunState } from '../run/state.ts'
import { isWriting, workLine } from '../run/work.ts'

export interface FoldedWorkProps {
  readonly run: RunState
  readonly children: ComponentChildren
}

export function FoldedWork({ run, children }: FoldedWorkProps) {
  const isWorking = !hasEnded(run) && run.status !== 'waiting' && !isWriting(run)
  return (
    <details class="work">
      <summary>
        <span class={isWorking ? 'line working' : 'line'} dir="auto">
          {workLine(run)}
        </span>
        <Icon name="chevron-right" />
      </summary>
      <div class="work-steps">{children}</div>
    </details>
  )
}
