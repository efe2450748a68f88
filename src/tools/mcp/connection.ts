// The connection of a run to one MCP server: fills in secrets, lists the server's tools before the first call,
// compares them with the approved ones, and reports differences.

import type { Clock } from '../../lib/clock.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { GuardedStream } from '../../net/fetch.ts'
import { McpClient } from '../../mcp/client.ts'
import type { McpFailure } from '../../mcp/failure.ts'
import { masker } from '../../secrets/masks.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { Token } from '../../secrets/tokens.ts'
import { parseTemplate } from '../http/template.ts'
import { MCP_LIST_BELIEVED_MS } from './limits.ts'
import { tokenOf } from './bearer.ts'
import type { LiveMcpServer } from './live.ts'
import { digestsOf, type McpPin } from './pins.ts'
import type { McpServer } from './server.ts'
import { failedObservation, listedObservation, type ReportObservation } from './observation.ts'

export interface McpPorts {
  readonly stream: GuardedStream
  readonly secrets: SecretsPort
  readonly now: Clock
  readonly reportMcpServer: ReportObservation
}

export interface Connection {
  readonly client: McpClient
  readonly mask: (text: string) => string
  /** Null if the server has no `auth` setting. */
  readonly token: Token | null
}

type Target = Pick<McpServer, 'url' | 'headers' | 'auth'>

/**
 * Connects to a server and obtains a token if it needs one. Sends no other request. `rejected` is a connection whose
 * token the server no longer accepts. The error is a message for the model.
 */
export async function connect(
  server: Target,
  ports: Pick<McpPorts, 'stream' | 'secrets' | 'now'>,
  signal: AbortSignal,
  rejected: Connection | null = null,
): Promise<Result<Connection, string>> {
  const { url, headers } = server
  const { stream, secrets, now } = ports
  const parts = Object.entries(headers).map(([name, template]) => [name, parseTemplate(template)] as const)
  const names = parts.flatMap(([, parsed]) =>
    parsed.ok ? parsed.value.flatMap((part) => (part.kind === 'secret' ? part.name : [])) : [],
  )
  const values = names.length > 0 ? await secrets.use([...new Set(names)], new URL(url).host) : ok(new Map())
  if (!values.ok) return err(values.error.detail)
  const token = await tokenOf(server, ports, rejected?.token?.value ?? null, signal)
  if (!token.ok) return token
  const filled = parts.map(([name, parsed]) => {
    const texts = parsed.ok ? parsed.value : []
    const value = texts.map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'secret' ? (values.value.get(part.name) ?? '') : '',
    )
    return [name, value.join('')] as const
  })
  const bearer: readonly (readonly [string, string])[] = token.value
    ? [['Authorization', `Bearer ${token.value.value}`]]
    : []
  const mask = masker(
    new Map([...values.value, ...(token.value ? [['access token', token.value.value] as const] : [])]),
  )
  const target = { url, headers: Object.fromEntries([...filled, ...bearer]), mask }
  return ok({ client: new McpClient(stream, target, now), mask, token: token.value })
}

/** The digests of the tools that a server offers by name, and until when they are considered current. */
interface Listed {
  readonly digests: ReadonlyMap<string, string>
  readonly until: number
}

/** What a run knows about one server. */
export class ServerOfRun {
  readonly #ports: McpPorts
  readonly #live: LiveMcpServer
  #opened: Promise<Result<Connection, string>> | null = null
  #listing: Promise<Result<Listed, McpFailure>> | null = null

  constructor(live: LiveMcpServer, ports: McpPorts) {
    this.#live = live
    this.#ports = ports
  }

  /**
   * The connection, if the server still offers exactly what was approved under this pin; a new one if `rejected` is
   * given. The error is a message for the model; `sent` says whether it may contain text from the server.
   */
  async connectionFor(
    pin: McpPin,
    signal: AbortSignal,
    rejected: Connection | null = null,
  ): Promise<Result<Connection, { readonly detail: string; readonly sent: boolean }>> {
    const opened = await this.#connected(rejected, signal)
    if (!opened.ok) {
      if (!signal.aborted) this.reportFailure({ detail: opened.error })
      // The server names the issuer of tokens, so the error may contain text from that issuer.
      return err({ detail: opened.error, sent: this.#live.server.auth !== null })
    }
    const connection = opened.value
    const listed = await this.#listed(connection, signal)
    if (!listed.ok) {
      if (listed.error.unauthorized && connection.token && rejected === null)
        return this.connectionFor(pin, signal, connection)
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

  /** The open connection, or a new one if its token was rejected or has expired. Concurrent calls share it. */
  async #connected(rejected: Connection | null, signal: AbortSignal): Promise<Result<Connection, string>> {
    const known = this.#opened
    const open = await known
    if (open?.ok && open.value !== rejected && !this.#isExpired(open.value)) return open
    if (this.#opened !== known && this.#opened) return this.#opened
    this.#listing = null
    this.#opened = connect(this.#live.server, this.#ports, signal, rejected)
    return this.#opened
  }

  #isExpired({ token }: Connection): boolean {
    return token !== null && token.expiresAt <= this.#ports.now()
  }

  reportFailure({ detail }: Pick<McpFailure, 'detail'>): void {
    this.#ports.reportMcpServer(this.#live.name, failedObservation(this.#live, detail))
  }

  async close(): Promise<void> {
    const open = await this.#opened
    if (open?.ok) await open.value.client.close()
  }

  async #listed(connection: Connection, signal: AbortSignal): Promise<Result<Listed, McpFailure>> {
    const { now } = this.#ports
    const known = this.#listing
    if (known) {
      const listed = await known
      if (listed.ok && now() < listed.value.until) return listed
    }
    // Concurrent calls share one list.
    if (this.#listing === known) this.#listing = this.#list(connection, signal)
    return this.#listing ?? this.#list(connection, signal)
  }

  async #list({ client, mask }: Connection, signal: AbortSignal): Promise<Result<Listed, McpFailure>> {
    const { now, reportMcpServer } = this.#ports
    const tools = await client.listTools(signal)
    if (!tools.ok) return tools
    const digests = await digestsOf(tools.value)
    // The comparison of all tools runs in the background.
    listedObservation(this.#live, tools.value, digests, mask).then(
      (observation) => reportMcpServer(this.#live.name, observation),
      () => undefined,
    )
    return ok({ digests, until: now() + MCP_LIST_BELIEVED_MS })
  }
}
