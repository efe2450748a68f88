// Lists the commands that a shell script calls but the shell does not have. Understands quotes,
// here-documents, substitutions, functions and blocks.

import { notFound } from '../bash/absent.ts'
import { COMMANDS } from '../bash/command-names.ts'
import { findShellCalls } from './shell-calls.ts'
import { MissingDependencies } from './missing-dependencies.ts'

export function missingInShell(text: string): MissingDependencies {
  const missing = new MissingDependencies()
  const { calls, functions } = findShellCalls(text)
  // After an `exit`, which is usually conditional, later commands may never run.
  let isCertain = true
  for (const { name, always } of calls) {
    if (name === 'exit' || name === 'exec') isCertain = false
    if (COMMANDS.has(name) || functions.has(name)) continue
    const [, why] = notFound(name).split('not here: ')
    missing.add(name, why?.replace(/\.$/, '') ?? 'not available', always && isCertain)
  }
  return missing
}
