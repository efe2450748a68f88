// Appends the results of a step's calls as one message for the model.

import { resultsFor } from '../../agent/repair.ts'
import { recordKnownFiles } from './known-files.ts'
import { joinAfterResults } from './steer.ts'
import type { Parts } from '../parts.ts'

/**
 * Appends all results of a finished step as one user message, in the order of its calls, and after them the messages
 * that steer the run.
 */
export function appendResults(
  thread: Parameters<typeof joinAfterResults>[0] & Parts<'journal'>,
  runId: string,
): void {
  const { journal, transcript, files, ports } = thread
  const requestMessage = transcript.last(runId)
  if (!requestMessage) return
  const calls = journal.calls(runId, requestMessage)
  const content = resultsFor(requestMessage.content, calls, 'Not run.')
  transcript.append({ id: ports.newId('msg'), runId, role: 'user', content, at: ports.now() })
  recordKnownFiles(files, calls)
  joinAfterResults(thread, runId)
}
