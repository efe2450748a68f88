// Reads the labels of tools from the server.

import type { Client } from '../../../client/client.ts'
import { labelsByName, listTools } from '../../../client/tools.ts'
import { visibleText } from '../../../lib/visible.ts'
import { labels, purposes } from '../../run/call-labels.ts'
import { PURPOSE_CHARS_MAX } from './limits.ts'

/** Reads the labels. If that fails, calls are shown by the names of their tools. */
export async function readLabels(client: Client): Promise<void> {
  const tools = await listTools(client)
  if (!tools.ok) return
  purposes.value = new Map(tools.value.flatMap(({ name, description }) => purposeOf(name, description)))
  labels.value = labelsByName(tools.value)
}

/** The first sentence of a description without its period. None if it is too long for a title. */
function purposeOf(name: string, description: string | undefined): readonly (readonly [string, string])[] {
  const [sentence = ''] = visibleText(description ?? '').split(/(?<=[.!?])\s|\n/, 1)
  const purpose = sentence.trim().replace(/\.$/, '')
  return purpose === '' || purpose.length > PURPOSE_CHARS_MAX ? [] : [[name, purpose]]
}
