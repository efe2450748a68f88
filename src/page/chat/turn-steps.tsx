// The steps of a run, one muted line each. Only the user opens a step, which then shows its input and output.

import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import { callLine, iconOfCall } from '../run/call-labels.ts'
import type { LoadedSkillItem, TextItem, ToolItem } from '../run/items.ts'
import { groupLine } from '../run/rows.ts'
import { formatDuration, formatRoundedDuration } from '../lib/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { lazyComponent } from '../parts/lazy.tsx'

/** What a step shows when it is opened. */
export const StepBody = lazyComponent<{ readonly shown: ToolItem | LoadedSkillItem }>(
  async () => (await import('./step-body.tsx')).OpenedStep,
  3,
)

interface StepLineProps {
  readonly icon: IconName
  readonly verb: string
  readonly object?: string
  readonly hasFailed?: boolean
  /** Text at the end of the line, such as a duration. */
  readonly aside?: string
}

function StepLine({ icon, verb, object = '', hasFailed = false, aside = '' }: StepLineProps) {
  return (
    <>
      <Icon name={hasFailed ? 'warning' : icon} />
      <span class={hasFailed ? 'did failed' : 'did'}>
        <span class="verb">{verb}</span>
        {object !== '' && (
          <>
            {' '}
            <b dir="auto">{object}</b>
          </>
        )}
      </span>
      {aside !== '' && <span class="aside">{aside}</span>}
      <Icon name="chevron-right" />
    </>
  )
}

export function Step({ call }: { readonly call: ToolItem }) {
  const { verb, object } = callLine(call)
  const time = call.durationMs === null ? '' : formatDuration(call.durationMs)
  const ellipsis = call.state === 'running' ? '…' : ''
  return (
    <Opening>
      <summary>
        <StepLine
          icon={call.state === 'denied' ? 'close' : iconOfCall(call.name)}
          verb={object === '' ? verb + ellipsis : verb}
          object={object === '' ? '' : object + ellipsis}
          hasFailed={call.state === 'failed'}
          aside={call.state === 'stopped' ? 'stopped' : call.state === 'denied' ? '' : time}
        />
      </summary>
      <StepBody shown={call} />
    </Opening>
  )
}

/** A step whose body is rendered when it is first opened. */
function Opening({ children: [summary, body] }: { readonly children: readonly [VNode, VNode] }) {
  const wasOpened = useSignal(false)
  return (
    <details class="step" onToggle={({ currentTarget }) => (wasOpened.value ||= currentTarget.open)}>
      {summary}
      {wasOpened.value && body}
    </details>
  )
}

/** A group of several similar calls. */
export function StepGroup({ calls }: { readonly calls: readonly ToolItem[] }) {
  const ms = calls.reduce<number | null>(
    (sum, call) => (sum === null || call.durationMs === null ? null : sum + call.durationMs),
    0,
  )
  return (
    <details class="step fold">
      <summary>
        <StepLine
          icon={iconOfCall(calls[0]?.name ?? '')}
          verb={groupLine(calls)}
          aside={ms === null ? '' : formatDuration(ms)}
        />
      </summary>
      {calls.map((call) => (
        <Step key={call.key} call={call} />
      ))}
    </details>
  )
}

/** A skill that was loaded without a call. */
export function LoadedStep({ skill }: { readonly skill: LoadedSkillItem }) {
  return (
    <Opening>
      <summary>
        <StepLine icon="skill" verb="Loaded" object={skill.name} />
      </summary>
      <StepBody shown={skill} />
    </Opening>
  )
}

export function Thinking({ thought, ended }: { readonly thought: TextItem; readonly ended: boolean }) {
  const isOver = thought.done || ended
  const ms = thought.streamTime?.ms ?? 0
  const verb = !isOver ? 'Thinking…' : ms >= 500 ? `Thought for ${formatRoundedDuration(ms)}` : 'Thought'
  return (
    <details class="step thinking">
      <summary>
        <StepLine icon="thought" verb={verb} />
      </summary>
      <div class="thought" dir="auto">
        {thought.text}
      </div>
    </details>
  )
}

/** A line, which opens to its details if it has any. */
export function StepNote({ text, details }: { readonly text: string; readonly details: string | null }) {
  if (details !== null)
    return (
      <details class="step thinking">
        <summary>
          <StepLine icon="info" verb={text} />
        </summary>
        <div class="thought" dir="auto">
          {details}
        </div>
      </details>
    )
  return (
    <p class="step-note">
      <Icon name="info" />
      <span dir="auto">{text}</span>
    </p>
  )
}
