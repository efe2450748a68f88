// Tool labels from the server.

import type { Client } from '../../../client/client.ts'
import type { ToolRow } from '../../../client/tools.ts'
import type { Page } from '../../../thread/api.ts'
import { labels } from '../../run/acts.ts'

/** If they cannot be read, calls are shown with their tool names. */
export async function readLabels(client: Client): Promise<void> {
  const answer = await client.json<Page<ToolRow>>('GET', '/v1/tools')
  if (!answer.ok) return
  labels.value = new Map(answer.value.body.data.flatMap(({ name, label }) => (label ? [[name, label]] : [])))
}
