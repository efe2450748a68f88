// Formats dates for `printf %(FORMAT)T`.

import { Unsupported } from '../../commands/command.ts'
import { broken } from '../../commands/awk/time.ts'
import { variableText } from '../state/assign.ts'
import type { Shell } from '../state/shell.ts'

export function formatDate(shell: Shell, format: string, seconds: number): string {
  const zone = variableText(shell, 'TZ') ?? ''
  if (!/^(?:|:?UTC0?|:?GMT0?|:?Etc\/UTC)$/.test(zone))
    throw new Unsupported(`printf %(…)T in the zone TZ=${zone}`, 'date, or TZ=UTC')
  return broken(format, seconds, true, {})
}
