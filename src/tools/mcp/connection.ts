// The connection of a run to one MCP server: fills in the secrets, lists the server before the first call, compares the
// list with what an admin approved, and reports what it saw.

import type { Clock } from '../../lib/clock.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { GuardedStream } from '../../net/fetch.ts'
import { McpClient } from '../../mcp/client.ts'
import type { McpFailure } from '../../mcp/failure.ts'
import { masker } from '../../secrets/masks.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import { parseTemplate } from '../http/template.ts'
import { MCP_LIST_BELIEVED_MS } from './limits.ts'
import type { LiveMcpServer } from './live.ts'
import { offeredDigest, type McpPin } from './pins.ts'
import type { McpServer } from './server.ts'
import { failedSighting, listedSighting, type McpWatch } from './sighting.ts'

export interface McpPorts {
  readonly stream: GuardedStream
  readonly secrets: SecretsPort
  readonly now: Clock
  readonly sawMcpServer: McpWatch
}

export interface Connection {
  readonly client: McpClient
  readonly mask: (text: string) => string
}

/** Connects to a server; sends nothing yet. The error is a message for the model. */
export async function connect(
  { url, headers }: Pick<McpServer, 'url' | 'headers'>,
  { stream, secrets, now }: Omit<McpPorts, 'sawMcpServer'>,
): Promise<Result<Connection, string>> {
  const parts = Object.entries(headers).map(([name, template]) => [name, parseTemplate(template)] as const)
  const names = parts.flatMap(([, parsed]) =>
    parsed.ok ? parsed.value.flatMap((part) => (part.kind === 'secret' ? part.name : [])) : [],
  )
  const values = names.length > 0 ? await secrets.use([...new Set(names)], new URL(url).host) : ok(new Map())
  if (!values.ok) return err(values.error.detail)
  const filled = parts.map(([name, parsed]) => {
    const texts = parsed.ok ? parsed.value : []
    const value = texts.map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'secret' ? (values.value.get(part.name) ?? '') : '',
    )
    return [name, value.join('')] as const
  })
  const mask = masker(values.value)
  return ok({ client: new McpClient(stream, { url, headers: Object.fromEntries(filled), mask }, now), mask })
}

/** The digests of the tools that a server offers, by name, and until when they are believed. */
interface Listed {
  readonly digests: ReadonlyMap<string, string>
  readonly until: number
}

/** What a run knows about a server. */
export class ServerOfRun {
  readonly #ports: McpPorts
  readonly #live: LiveMcpServer
  #connection: Connection | null = null
  #listing: Promise<Result<Listed, McpFailure>> | null = null

  constructor(live: LiveMcpServer, ports: McpPorts) {
    this.#live = live
    this.#ports = ports
  }

  /**
   * The connection, if the server still offers exactly what was approved under this pin. The error is a message for
   * the model; `sent` tells whether it may contain text of the server.
   */
  async connectionFor(
    pin: McpPin,
    signal: AbortSignal,
  ): Promise<Result<Connection, { readonly detail: string; readonly sent: boolean }>> {
    const opened = this.#connection ? ok(this.#connection) : await connect(this.#live.server, this.#ports)
    if (!opened.ok) return err({ detail: opened.error, sent: false })
    const connection = (this.#connection ??= opened.value)
    const listed = await this.#listed(connection, signal)
    if (!listed.ok) {
      if (!signal.aborted) this.reportFailure(listed.error)
      return err({ detail: listed.error.detail, sent: true })
    }
    const digest = listed.value.digests.get(pin.name)
    if (digest === pin.digest) return ok(connection)
    const what =
      digest === undefined ? 'no longer offers this tool' : 'changed this tool after it was approved'
    return err({
      detail: `The server ${what}. An admin can compare and approve it again (npm run tools -- mcp refresh). Continue without it.`,
      sent: false,
    })
  }

  reportFailure({ detail }: McpFailure): void {
    this.#ports.sawMcpServer(this.#live.name, failedSighting(this.#live, detail))
  }

  async close(): Promise<void> {
    await this.#connection?.client.close()
  }

  async #listed(connection: Connection, signal: AbortSignal): Promise<Result<Listed, McpFailure>> {
    const { now } = this.#ports
    const known = this.#listing
    if (known) {
      const listed = await known
      if (listed.ok && now() < listed.value.until) return listed
    }
    // Calls that run side by side share one list.
    if (this.#listing === known) this.#listing = this.#list(connection, signal)
    return this.#listing ?? this.#list(connection, signal)
  }

  async #list({ client, mask }: Connection, signal: AbortSignal): Promise<Result<Listed, McpFailure>> {
    const { now, sawMcpServer } = this.#ports
    const tools = await client.listTools(signal)
    if (!tools.ok) return tools
    const digests = await Promise.all(
      tools.value.map(async (tool) => [tool.name, await offeredDigest(tool)] as const),
    )
    // Nobody waits for the comparison of all tools.
    listedSighting(this.#live, tools.value, mask).then(
      (sighting) => sawMcpServer(this.#live.name, sighting),
      () => undefined,
    )
    return ok({ digests: new Map(digests), until: now() + MCP_LIST_BELIEVED_MS })
  }
}
