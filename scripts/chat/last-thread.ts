// Finds the thread that `--last` continues: the user's newest one, including threads created on the page.

import { listThreads } from '../../src/client/threads.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'
import { explainFailure, type Server } from '../lib/server.ts'

/** Returns the thread's ID, or a message. */
export async function findLastThread({
  client,
  url,
}: Pick<Server, 'client' | 'url'>): Promise<Result<string, string>> {
  const page = await listThreads(client, { limit: 1 })
  if (!page.ok) return err(explainFailure(page.error, url))
  const [newest] = page.value.data
  return newest ? ok(newest.id) : err('You have no threads yet. Leave out --last to start one.')
}
