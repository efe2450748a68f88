// Reads the labels of tools from the server.

import type { Client } from '../../../client/client.ts'
import type { ToolRow } from '../../../client/tools.ts'
import type { Page } from '../../../thread/api.ts'
import { labels } from '../../run/call-labels.ts'

/** Reads the labels. If that fails, calls are shown by the names of their tools. */
export async function readLabels(client: Client): Promise<void> {
  const answer = await client.json<Page<ToolRow>>('GET', '/v1/tools')
  if (!answer.ok) return
  labels.value = new Map(answer.value.body.data.flatMap(({ name, label }) => (label ? [[name, label]] : [])))
}
