// `time`: measures how long a pipeline takes. CPU time is not measured here, so it is printed as 0.

import { variableText } from '../state/assign.ts'
import { writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'

const BASH_FORMAT = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS'
const POSIX_FORMAT = 'real %2R\nuser %2U\nsys %2S'

export async function timed(shell: Shell, format: 'bash' | 'posix', run: () => Promise<void>): Promise<void> {
  const began = shell.host.now()
  try {
    await run()
  } finally {
    const seconds = (shell.host.now() - began) / 1_000
    const written = format === 'posix' ? POSIX_FORMAT : (variableText(shell, 'TIMEFORMAT') ?? BASH_FORMAT)
    if (written !== '') await writeText(shell.descriptors, 2, `${formatTimes(written, seconds)}\n`)
  }
}

/** Formats times: `%R` is the elapsed time, `%3lR` the same with three decimals and minutes. */
function formatTimes(format: string, seconds: number): string {
  return format.replaceAll(/%([0-9]?)(l?)([RUSP%])/g, (_, digits: string, long: string, what: string) => {
    if (what === '%') return '%'
    const precision = Math.min(Number(digits === '' ? 3 : digits), 3)
    if (what === 'P') return (0).toFixed(2)
    const value = what === 'R' ? seconds : 0
    return long === ''
      ? value.toFixed(precision)
      : `${Math.floor(value / 60)}m${(value % 60).toFixed(precision)}s`
  })
}
