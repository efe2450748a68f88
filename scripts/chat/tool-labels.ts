// Reads the labels of the server's tools, which describe calls in the same way as on the page.

import type { ToolLabel } from '../../src/agent/tool.ts'
import { labelsByName, listTools } from '../../src/client/tools.ts'

import type { Client } from '../../src/client/client.ts'

/** By the name of the tool. */
export type Labels = ReadonlyMap<string, ToolLabel>

const known = new WeakMap<Client, Promise<Labels>>()

/** Reads the labels once per client. If that fails, returns none, and calls are described by tool names. */
export function toolLabels(client: Client): Promise<Labels> {
  const labels =
    known.get(client) ?? listTools(client).then((tools) => (tools.ok ? labelsByName(tools.value) : new Map()))
  known.set(client, labels)
  return labels
}
