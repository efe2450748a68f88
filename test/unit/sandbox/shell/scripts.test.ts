// Guards that a script means what it means in bash: the expected output is that of bash 5.2.

import { describe, expect, it } from 'vitest'

import { MESSAGES } from './messages.cases.ts'
import { runShellScript } from './run-script.ts'
import { SCRIPTS } from './scripts.cases.ts'
import { STATE } from './state.cases.ts'

describe('a script prints what bash prints', () => {
  it.each([...SCRIPTS, ...STATE, ...MESSAGES])('%s', async (script, stdout, exitCode) => {
    expect(await runShellScript(script)).toMatchObject({ stdout, exitCode, refused: null })
  })
})

describe('a script is refused where its result would be wrong', () => {
  it.each([
    ['select x in a b; do echo $x; done', 'bash: select'],
    ['coproc cat', 'bash: coproc'],
    ['echo "${BASH_ARGV[0]}"', 'bash: BASH_ARGV'],
    ['ls; hash', 'the table of hash'],
    ['/usr/bin/printf "%q" x', 'printf %q by a path or another command'],
    ['GREP_COLORS=mt=1 grep --color=always x /dev/null', 'grep --color with GREP_COLORS'],
    ['nice', 'nice without a command'],
    ['help cd', 'help with a name'],
    ['set -n; echo x', 'set -n'],
    ['shopt -s expand_aliases; alias a=b', 'shopt -s expand_aliases'],
    ['printf "%a\\n" 1', 'printf: %a'],
    ['mapfile -C f < /dev/null', 'mapfile -C'],
    ['x=\'$HOME\'; echo "${x@P}"', 'bash: ${name@P}'],
  ])('%s', async (script, construct) => {
    const { refused, exitCode } = await runShellScript(script)
    expect(refused).toContain(`${construct} is not supported here. Instead: `)
    expect(exitCode).toBe(2)
  })
})

it('a syntax error in a later line does not prevent the lines before it', async () => {
  const { stdout, stderr, exitCode } = await runShellScript('echo first\nif; then\necho no')
  expect({ stdout, exitCode }).toEqual({ stdout: 'first\n', exitCode: 2 })
  expect(stderr).toContain("line 2: syntax error near unexpected token `;'")
})
