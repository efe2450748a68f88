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
      <UsageMeter />
    </div>
  )
}

function UsageMeter() {
  const { conversation } = useApp()
  const { info } = useModel()
  if (!conversation.info.value) return null
  const percent = fullness(conversation.info.value, info?.window)
  const parts = [
    percent === null ? null : `context ${percent} % full`,
    money(conversation.info.value.charged.usd),
  ]
  const isNearlyFull = percent !== null && percent >= WINDOW_NEARLY_FULL
  return (
    <p class={isNearlyFull ? 'meter near' : 'meter'}>
      {isNearlyFull && 'Start a new thread soon: '}
      {parts.filter((part) => part !== null).join(' · ')}
    </p>
  )
}
