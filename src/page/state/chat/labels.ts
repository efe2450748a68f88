// Reads the labels of tools from the server.

import type { Client } from '../../../client/client.ts'
import type { ToolRow } from '../../../client/tools.ts'
import type { Page } from '../../../thread/api.ts'
import { visibleText } from '../../../lib/visible.ts'
import { labels, purposes } from '../../run/call-labels.ts'
import { PURPOSE_CHARS_MAX } from './limits.ts'

/** Reads the labels. If that fails, calls are shown by the names of their tools. */
export async function readLabels(client: Client): Promise<void> {
  const answer = await client.json<Page<ToolRow>>('GET', '/v1/tools')
  if (!answer.ok) return
  const rows = answer.value.body.data
  purposes.value = new Map(rows.flatMap(({ name, description }) => purposeOf(name, description)))
  labels.value = new Map(rows.flatMap(({ name, label }) => (label ? [[name, label]] : [])))
}

/** The first sentence of a description without its period. None if it is too long for a title. */
function purposeOf(name: string, description: string | undefined): readonly (readonly [string, string])[] {
  const [sentence = ''] = visibleText(description ?? '').split(/(?<=[.!?])\s|\n/, 1)
  const purpose = sentence.trim().replace(/\.$/, '')
  return purpose === '' || purpose.length > PURPOSE_CHARS_MAX ? [] : [[name, purpose]]
}
