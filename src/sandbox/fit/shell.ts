// What a shell script lacks: commands that it calls and the shell does not have. Understands quotes,
// here-documents, substitutions, functions and blocks, and ignores what it cannot read.

import { notFound } from '../bash/absent.ts'
import { COMMANDS } from '../bash/has.ts'
import { callsOf } from './shell-calls.ts'
import { Needs } from './needs.ts'

export function shellNeeds(text: string): Needs {
  const needs = new Needs()
  const { calls, functions } = callsOf(text)
  // After a conditional exit (for example on wrong arguments) a command may never run.
  let sure = true
  for (const { name, always } of calls) {
    if (name === 'exit' || name === 'exec') sure = false
    if (COMMANDS.has(name) || functions.has(name)) continue
    const [, why] = notFound(name).split('not here: ')
    needs.add(name, why?.replace(/\.$/, '') ?? 'not available', always && sure)
  }
  return needs
}
