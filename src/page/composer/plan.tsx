// The plan of the open thread, above the message box: one line that opens to the list of its items.

import type { TodoItem } from '../../agent/todos.ts'
import { planProgress, PLAN_STATUS_NAMES } from '../../client/plan-text.ts'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'

export function PlanList() {
  const { conversation } = useApp()
  const items = conversation.plan.value ?? []
  if (items.length === 0) return null
  const active = items.find(({ status }) => status === 'in_progress')
  return (
    <details class="plan">
      <summary>
        <strong>Plan</strong> <span class="quiet">{planProgress(items)}</span>
        {active && (
          <span class="active" dir="auto">
            {active.text}
          </span>
        )}
      </summary>
      <ol>
        {items.map((item, index) => (
          <PlanItem key={index} item={item} />
        ))}
      </ol>
    </details>
  )
}

function PlanItem({ item: { text, status } }: { readonly item: TodoItem }) {
  return (
    <li class={status}>
      <span class="mark" aria-hidden="true">
        {status === 'completed' && <Icon name="check" />}
      </span>
      <span class="unseen">{PLAN_STATUS_NAMES[status]}: </span>
      <span dir="auto">{text}</span>
    </li>
  )
}
