// The secrets of one execution: they are provided to its tool calls, and masked in every later result.

import { isText } from '../../agent/message.ts'
import type { ToolResult } from '../../agent/tool.ts'
import { utf8 } from '../../lib/bytes.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { GuardedResponse, GuardedFetch } from '../../net/fetch.ts'
import { masker } from '../../secrets/masks.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import type { TokenPort } from '../../secrets/tokens.ts'
import {
  runSecretContext,
  NO_ENCRYPTION_KEY,
  openSecrets,
  resealed,
  type SealedSecret,
} from '../../secrets/stored.ts'
import type { Parts } from '../parts.ts'
import { readRunSecrets } from '../rows/run-secrets.ts'

type Thread = Parts<'ctx' | 'row', 'workspace' | 'sealer'>

export class RunSecrets implements SecretsPort {
  readonly #thread: Thread
  readonly #runId: string
  readonly #providedSecrets = new Map<string, string>()
  readonly tokens: TokenPort
  /** How many tokens are masked. Earlier ones stay masked. */
  #tokens = 0
  #mask: (text: string) => string = (text) => text
  /** The secrets that were sent with the request. Null until they are decrypted for the first time. */
  #requestSecrets: Promise<Result<ReadonlyMap<string, string>>> | null = null

  constructor(thread: Thread, runId: string) {
    this.#thread = thread
    this.#runId = runId
    this.tokens = {
      take: async (...of) => (await this.#tokenPort()).take(...of),
      put: async (...of) => (await this.#tokenPort()).put(...of),
    }
  }

  /** Loaded late, because few runs use tokens. */
  async #tokenPort(): Promise<TokenPort> {
    const { tokenPort } = await import('../../secrets/tokens.ts')
    const { ports, row } = this.#thread
    const { workspace } = row.data
    return tokenPort(
      workspace,
      ports.sealer,
      (request) => ports.workspace(workspace).token(request),
      (value) => this.#addToMask(new Map([[`access token ${++this.#tokens}`, value]])),
    )
  }

  async use(names: readonly string[], host: string): Promise<Result<ReadonlyMap<string, string>>> {
    const { ports, row } = this.#thread
    const { workspace } = row.data
    const rows = await ports
      .workspace(workspace)
      .sealedSecrets(names)
      .catch(() => null)
    if (!rows?.ok)
      return fail('overloaded', 'The secrets of this workspace cannot be read right now. Try again.')
    const values = await openSecrets(ports.sealer, workspace, rows.value, names, host)
    if (!values.ok) return values
    this.#addToMask(values.value)
    void this.#renew(workspace, rows.value)
    return values
  }

  async brought(names: readonly string[]): Promise<Result<ReadonlyMap<string, string>>> {
    const all = await this.#decryptOnce()
    if (!all.ok) return all
    const missing = names.filter((name) => !all.value.has(name))
    if (missing.length > 0)
      return fail(
        'not_found',
        `The request of this run has no secret ${missing.join(', ')}. The sender must include it with the message.`,
      )
    return ok(new Map(names.map((name) => [name, all.value.get(name) ?? ''])))
  }

  /** Masks, in a result, all secrets that this execution provided or that came with the request. */
  async maskResult(result: ToolResult): Promise<ToolResult> {
    await this.#decryptOnce()
    if (this.#providedSecrets.size === 0) return result
    const { content } = result
    if (typeof content === 'string') return { ...result, content: this.#mask(content) }
    return {
      ...result,
      content: content.map((block) => (isText(block) ? { ...block, text: this.#mask(block.text) } : block)),
    }
  }

  /**
   * Masks secrets in responses before they are used, because a page may become a file and its links may
   * become rows.
   */
  withMasking(net: GuardedFetch): GuardedFetch {
    return async (request, options) => {
      await this.#decryptOnce()
      // The mask is read when the response arrives, because a parallel call may have been given another secret
      // meanwhile.
      const answer = await net(request, { ...options, mask: (text) => this.#mask(text) })
      return answer.ok && this.#providedSecrets.size > 0 ? ok(maskedAnswer(answer.value, this.#mask)) : answer
    }
  }

  #decryptOnce(): Promise<Result<ReadonlyMap<string, string>>> {
    return (this.#requestSecrets ??= this.#decrypt())
  }

  async #decrypt(): Promise<Result<ReadonlyMap<string, string>>> {
    const { ctx, ports, row } = this.#thread
    const sealed = Object.entries(readRunSecrets(ctx.storage.sql, this.#runId))
    if (sealed.length === 0) return ok(new Map())
    if (!ports.sealer) return NO_ENCRYPTION_KEY
    const { workspace, id: thread } = row.data
    const values = new Map<string, string>()
    for (const [name, sealedValue] of sealed) {
      const opened = await ports.sealer.open(
        sealedValue,
        runSecretContext({ workspace, thread, run: this.#runId, name }),
      )
      if (opened.ok) values.set(name, opened.value)
    }
    this.#addToMask(values)
    return ok(values)
  }

  #addToMask(values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) this.#providedSecrets.set(name, value)
    this.#mask = masker(this.#providedSecrets)
  }

  /**
   * Encrypts secrets again that were encrypted with the previous key, so that the previous key can be
   * removed.
   */
  async #renew(workspace: string, rows: readonly SealedSecret[]): Promise<void> {
    const { ports } = this.#thread
    if (!ports.sealer) return
    try {
      for (const row of rows) {
        const sealed = await resealed(ports.sealer, workspace, row)
        if (sealed !== null) await ports.workspace(workspace).resealSecret(row, sealed)
      }
    } catch {
      // The next use tries again.
    }
  }
}

/** Returns the same body if it contains no secrets. */
function maskedAnswer(answer: GuardedResponse, mask: (text: string) => string): GuardedResponse {
  const url = mask(answer.url)
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, mask(value)] as const),
  )
  const text = new TextDecoder().decode(answer.body)
  const maskedText = mask(text)
  // If the beginning of a URL was masked, it can no longer be parsed.
  const masked = { ...answer, url: URL.canParse(url) ? url : new URL(answer.url).origin, headers }
  if (maskedText === text) return masked
  const type = headers['content-type']?.replace(/;\s*charset=[^;]*/i, '')
  return {
    ...masked,
    headers: type === undefined ? headers : { ...headers, 'content-type': `${type}; charset=utf-8` },
    body: utf8(maskedText),
  }
}
