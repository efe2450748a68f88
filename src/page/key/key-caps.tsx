// Shows what the key may still use today and this month; nothing if no caps apply.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { describeCap, type CapLeft } from '../../client/cap-text.ts'
import { readMe } from '../../client/me.ts'
import { formatTime } from '../lib/format.ts'
import { useApp } from '../state/app.ts'

export function KeyCaps() {
  const { session } = useApp()
  const caps = useSignal<readonly CapLeft[]>([])
  useEffect(() => {
    const client = session.client.peek()
    if (client) void readMe(client).then((me) => (caps.value = me.ok ? me.value.caps : []))
  }, [])
  if (caps.value.length === 0) return null
  return (
    <ul>
      {caps.value.map((cap) => (
        <li key={cap.scope + cap.window} title={`Resets ${formatTime(cap.resets_at)}`}>
          {describeCap(cap)}
        </li>
      ))}
    </ul>
  )
}
