// The line below the message box: progress, how full the context window is, and the thread's cost.

import { useApp } from '../state/app.ts'
import { formatCents } from '../lib/format.ts'
import { CONTEXT_NEARLY_FULL_PERCENT } from './limits.ts'
import { contextPercent } from '../state/composer/usage.ts'
import { useThreadModel } from './options.tsx'

export function ComposerFooter() {
  const { status } = useApp()
  return (
    <div class="under">
      <p id="status" role="status">
        {status.value}
      </p>
      <UsageMeter />
    </div>
  )
}

function UsageMeter() {
  const { conversation } = useApp()
  const { info } = useThreadModel()
  const usage = conversation.usage.value
  if (!usage) return null
  const percent = contextPercent(usage, info?.window)
  const cost = formatCents(usage.charged.usd)
  const isNearlyFull = percent !== null && percent >= CONTEXT_NEARLY_FULL_PERCENT
  const parts = [
    `Thread: ${cost}${conversation.activeTurn.value ? ' so far' : ''}`,
    percent === null ? null : `${percent}% of context${isNearlyFull ? ', nearly full' : ''}`,
  ]
  return (
    <p class={isNearlyFull ? 'meter near' : 'meter'}>{parts.filter((part) => part !== null).join(' · ')}</p>
  )
}
