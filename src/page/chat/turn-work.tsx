// The work of a run, folded into one line. Only the user opens it.

import { Fragment, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'
import { readStepTimes } from '../state/chat/step-times.ts'
import type { Turn } from '../state/chat/turn.ts'
import { iconOfCall } from '../run/call-labels.ts'
import { runningCall } from '../run/progress.ts'
import { hasEnded } from '../run/state.ts'
import { isWriting, workLine } from '../run/work.ts'
import { StepBody } from './turn-steps.tsx'

export interface FoldedWorkProps {
  readonly turn: Turn
  readonly children: ComponentChildren
}

export function FoldedWork({ turn, children }: FoldedWorkProps) {
  const { session } = useApp()
  const run = turn.run.value
  useEffect(StepBody.preload, [])
  const call = runningCall(run)
  const isWorking = !hasEnded(run) && run.status !== 'waiting' && !isWriting(run)
  return (
    <details
      class="work"
      onToggle={({ currentTarget }) => {
        const client = session.client.peek()
        if (currentTarget.open && client && hasEnded(run)) void readStepTimes(client, turn)
      }}
    >
      <summary>
        {isWorking && <Icon name={run.retry ? 'retry' : call ? iconOfCall(call.name) : 'thought'} />}
        <span class={isWorking ? 'line working' : 'line'} dir="auto">
          {workLine(run).map(({ text, isSkill }, index) => (
            <Fragment key={text}>
              {index > 0 && ' '}
              <span class={isSkill ? 'work-part' : undefined}>
                {index > 0 && '· '}
                {text}
              </span>
            </Fragment>
          ))}
        </span>
        <Icon name="chevron-right" />
      </summary>
      <div class="work-steps">{children}</div>
    </details>
  )
}
