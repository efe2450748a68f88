// The line below the message box: progress, how full the context window is, and the thread's cost.

import { useApp } from '../state/app.ts'
import { money } from '../lib/format.ts'
import { WINDOW_NEARLY_FULL } from './limits.ts'
import { fullness } from '../state/composer/usage.ts'
import { useModel } from './options.tsx'

export function Foot() {
  const { status } = useApp()
  return (
    <div class="under">
      <p id="status" role="status">
        {status.value}
      </p>
      <Meter />
    </div>
  )
}

function Meter() {
  const { conversation } = useApp()
  const { info } = useModel()
  if (!conversation.info.value) return null
  const full = fullness(conversation.info.value, info?.window)
  const parts = [full === null ? null : `context ${full} % full`, money(conversation.info.value.charged.usd)]
  const near = full !== null && full >= WINDOW_NEARLY_FULL
  return (
    <p class={near ? 'meter near' : 'meter'}>
      {near && 'Start a new thread soon: '}
      {parts.filter((word) => word !== null).join(' · ')}
    </p>
  )
}
