// Runs calls of an MCP tool: checks the input, verifies that the server still offers what was approved, and makes the
// call once. Does not decide on approvals.

import type { Preview } from '../../agent/approval.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import type { Effect, Tool, ToolCall, ToolResult } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import type { Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import type { McpResult } from '../../mcp/client.ts'
import type { McpFailure } from '../../mcp/failure.ts'
import { MCP_LIST_TIMEOUT_MS, MCP_PROGRESS_MAX_CHARS, MCP_TOKEN_WORK_TIMEOUT_MS } from '../../mcp/limits.ts'
import { paramHeaders } from '../../mcp/param-headers.ts'
import { checkInput } from '../http/check-input.ts'
import { errorResult, inputError } from '../record/builtin.ts'
import type { RunTools } from '../record/source.ts'
import { ServerOfRun, type Connection } from './connection.ts'
import { MCP_GRACE_MS, MCP_PROGRESS_EVERY_MS } from './limits.ts'
import type { LiveMcpServer, LiveMcpTool } from './live.ts'
import { withServerNames, type McpPin } from './pins.ts'
import { saveBinaries } from './binaries.ts'
import { maskedResult, resultContent } from './result.ts'

export type McpRun = Pick<RunTools, 'stream' | 'secrets' | 'onEnd' | 'reportMcpServer'> & {
  /** Without files, content that a model cannot read is left out. */
  readonly context: Pick<RunTools['context'], 'now'> & { readonly files?: FileAccess }
}

/** The servers that each run knows. The context object identifies a run. */
const serversOfRuns = new WeakMap<object, Map<string, ServerOfRun>>()

export function mcpTool(server: LiveMcpServer, { pin, row }: LiveMcpTool, run: McpRun): Tool {
  const timeoutMs = server.server.timeout_s * 1000
  const tokenMs = server.server.auth === null ? 0 : MCP_TOKEN_WORK_TIMEOUT_MS
  return {
    // The request has a shorter time, so that its more specific error is reported.
    timeoutMs: tokenMs + MCP_LIST_TIMEOUT_MS + timeoutMs + MCP_GRACE_MS,
    limitsResults: false,
    definition: server.digest,
    preview: (input) => {
      const checked = checkInput(pin.input_schema, input)
      return checked.ok ? previewOf(server, pin, withServerNames(pin.fields, checked.value)) : null
    },
    run: async (input, call) => {
      const checked = checkInput(pin.input_schema, input)
      if (!checked.ok) return inputError(checked.error)
      const sent = withServerNames(pin.fields, checked.value)
      const ofRun = serverOfRun(server, run)
      const connection = await ofRun.connectionFor(pin, call.signal)
      if (!connection.ok)
        return errorOf(row.name, `The tool was not called. ${connection.error.detail}`, connection.error.sent)
      const first = await callOnce(connection.value, pin, sent, call, timeoutMs, run)
      const renewed =
        !first.ok && first.error.unauthorized && connection.value.token
          ? await ofRun.connectionFor(pin, call.signal, connection.value)
          : null
      const current = renewed?.ok ? renewed.value : connection.value
      // The server refused the token, so it has not executed the call.
      const called = renewed?.ok ? await callOnce(current, pin, sent, call, timeoutMs, run) : first
      // Repeating a call that has no further effect is harmless.
      const result =
        !called.ok && called.error.interrupted && row.effect !== 'once' && !call.signal.aborted
          ? await callOnce(current, pin, sent, call, timeoutMs, run)
          : called
      if (!result.ok && !result.error.answered && !call.signal.aborted) ofRun.reportFailure(result.error)
      return resultOf(row.name, row.effect, result, current.mask, run.context.files)
    },
  }
}

function serverOfRun(
  server: LiveMcpServer,
  { context, stream, secrets, onEnd, reportMcpServer }: McpRun,
): ServerOfRun {
  const servers = serversOfRuns.get(context) ?? new Map<string, ServerOfRun>()
  serversOfRuns.set(context, servers)
  const known = servers.get(server.digest)
  if (known) return known
  const created = new ServerOfRun(server, { stream, secrets, now: context.now, reportMcpServer })
  servers.set(server.digest, created)
  onEnd(() => created.close())
  return created
}

/** The request as shown to people, with names in place of secrets. */
function previewOf(
  { server: { url, headers } }: LiveMcpServer,
  { name }: McpPin,
  input: Readonly<Record<string, unknown>>,
): Preview {
  const body = JSON.stringify({ method: 'tools/call', params: { name, arguments: input } }, null, 2)
  return { kind: 'tool', method: 'POST', url, headers, body }
}

function callOnce(
  { client, mask }: Connection,
  pin: McpPin,
  input: Readonly<Record<string, unknown>>,
  { signal, progress }: ToolCall,
  timeoutMs: number,
  { context: { now } }: Pick<McpRun, 'context'>,
): Promise<Result<McpResult, McpFailure>> {
  let shownAt = Number.NEGATIVE_INFINITY
  const show = (text: string): void => {
    if (now() - shownAt < MCP_PROGRESS_EVERY_MS) return
    shownAt = now()
    progress(cutText(mask(text), MCP_PROGRESS_MAX_CHARS))
  }
  const headers = paramHeaders(pin.param_headers, input)
  return client.callTool({ name: pin.name, input, headers, signal, timeoutMs, progress: show })
}

/** Results and errors of a server are untrusted content. `mask` hides the secrets that the server received. */
async function resultOf(
  name: string,
  effect: Effect,
  result: Result<McpResult, McpFailure>,
  mask: (text: string) => string,
  files: FileAccess | undefined,
): Promise<ToolResult> {
  if (result.ok) {
    const masked = maskedResult(result.value, mask)
    const { content, isError } = masked
    const { changes, ...saved } =
      files && !isError ? await saveBinaries(content, name, files, mask) : { content, changes: [] }
    return {
      content: resultContent({ ...masked, ...saved }),
      isError,
      untrusted: [sourceOf(name)],
      ...(changes.length > 0 ? { changes } : {}),
    }
  }
  const { detail, sent } = result.error
  const unknown = sent && effect === 'once' ? ` ${UNKNOWN_OUTCOME}` : ''
  return errorOf(name, `${detail}${unknown}`, true)
}

function errorOf(name: string, text: string, isUntrusted: boolean): ToolResult {
  return { ...errorResult(text), ...(isUntrusted ? { untrusted: [sourceOf(name)] } : {}) }
}

function sourceOf(name: string): string {
  return `mcp:${name}`
}
