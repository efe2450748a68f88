// `time`: how long a pipeline took. Computing time is not measured here, so it is printed as 0.

import { writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'

export async function timed(shell: Shell, format: 'bash' | 'posix', run: () => Promise<void>): Promise<void> {
  const began = shell.host.now()
  try {
    await run()
  } finally {
    const seconds = (shell.host.now() - began) / 1_000
    const text =
      format === 'posix'
        ? `real ${seconds.toFixed(2)}\nuser 0.00\nsys 0.00\n`
        : `\nreal\t${minutes(seconds)}\nuser\t0m0.000s\nsys\t0m0.000s\n`
    await writeText(shell.descriptors, 2, text)
  }
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`
}
