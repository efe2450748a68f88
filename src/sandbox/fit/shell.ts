// What a shell script needs: the commands that it calls and the shell lacks. A small reader of bash: quotes, here-documents,
// substitutions, functions and blocks; what it cannot read calls nothing.

import { notFound } from '../bash/absent.ts'
import { COMMANDS } from '../bash/has.ts'
import { callsOf } from './shell-calls.ts'
import { Needs } from './needs.ts'

export function shellNeeds(text: string): Needs {
  const needs = new Needs()
  const { calls, functions } = callsOf(text)
  // Behind a place where it may have ended (its arguments were wrong) it is no longer sure what is called.
  let sure = true
  for (const { name, always } of calls) {
    if (name === 'exit' || name === 'exec') sure = false
    if (COMMANDS.has(name) || functions.has(name)) continue
    const [, why] = notFound(name).split('not here: ')
    needs.add(name, why?.replace(/\.$/, '') ?? 'not here', always && sure)
  }
  return needs
}
