// Edits of just-bash where a command that a limit refused would look successful.

import type { Edit } from './bash-edit.ts'

export const LIMITS: readonly Edit[] = [
  // Before a pipe it fails the whole pipe: the last command got incomplete input.
  {
    find: /async function \w+\(\w+, (\w+), \w+\) \{\s+let \w+ = \1\.timed \? [^;]*;/g,
    times: 1,
    put: '$&let __refused=0;',
  },
  {
    find: /let \w+ = \w+\.commands\[\w+\], \w+ = \w+ === \w+\.commands\.length - 1, \w+ = \w+ === 0;/g,
    times: 1,
    put: '$&let __before=__refusals;',
  },
  {
    find: /\w+\.push\((\w+)\.exitCode\), \1\.exitCode !== 0 && \(\w+ = \1\.exitCode\),/g,
    times: 1,
    put: '__refusals>__before&&$1.exitCode!==0&&(__refused=$1.exitCode),$&',
  },
  {
    find: /if \(\w+\.state\.options\.pipefail && \w+ !== 0 && \((\w+) = \{ \.\.\.\1, exitCode: \w+ \}\)/g,
    times: 1,
    put: 'if(__refused!==0&&$1.exitCode===0)$1={...$1,exitCode:__refused};$&',
  },
]
