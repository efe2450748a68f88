// Calls Cloudflare's API directly, with wrangler's login. Each start of wrangler takes seconds, and much of its output
// is for people, so it is used only where it is needed (bundling, uploading, addresses).

import * as z from 'zod'

import { API_ATTEMPTS, API_RETRY_MS, API_TIMEOUT_MS } from './limits.ts'

/** Overrides the address of Cloudflare's API. wrangler reads the same variable. */
const API_VARIABLE = 'CLOUDFLARE_API_BASE_URL'
const API_BASE = 'https://api.cloudflare.com/client/v4'
const OK = 200
const SERVER_ERROR = 500
const RATE_LIMITED = 429

/** Headers that authenticate a request. Never shown. */
export type Credentials = Readonly<Record<string, string>>

export interface CloudflarePorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly environment: Readonly<Record<string, string | undefined>>
  wait(ms: number): Promise<unknown>
}

interface CloudflareRequest {
  /** JSON, or bytes that are sent unchanged. */
  readonly body?: object | Uint8Array<ArrayBuffer>
  readonly contentType?: string
}

/** Sends `GET /path` and the like. Rejects with a CloudflareError. */
export interface Cloudflare {
  /** The `result` of a response, checked by `schema`. */
  result<T>(schema: z.ZodType<T>, line: string, request?: CloudflareRequest): Promise<T>
  /** All items of a list with pages or cursors. `items` parses the items of a `result`. */
  list<T>(items: z.ZodType<readonly T[]>, line: string): Promise<readonly T[]>
  /** Whether an object exists and can be read. Does not read its bytes. */
  exists(path: string): Promise<boolean>
}

/** Cloudflare refused a request, or could not be reached. */
export class CloudflareError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Cloudflare's own codes. */
  readonly codes: readonly number[]

  constructor(line: string, status: number, errors: readonly { code: number; message: string }[]) {
    const why = errors.map(({ code, message }) => `${message} [code: ${code}]`).join('; ')
    super(`Cloudflare refused ${line}: ${why || `it answered ${status}`}`)
    this.status = status
    this.codes = errors.map(({ code }) => code)
  }
}

const Envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
  result: z.unknown(),
  result_info: z
    .object({ cursor: z.string().nullish(), page: z.number().optional(), total_pages: z.number().optional() })
    .nullish(),
})
type Envelope = z.infer<typeof Envelope>

/** The API with these credentials. Paths are relative to `/client/v4`. */
export function cloudflareApi(credentials: Credentials, ports: CloudflarePorts): Cloudflare {
  const base = (ports.environment[API_VARIABLE] || API_BASE).replace(/\/$/, '')

  /**
   * Sends a request. Retries temporary failures of idempotent requests (not POST and PATCH). `read` reads the
   * response.
   */
  async function send<T>(
    line: string,
    read: (response: Response) => Promise<T>,
    request: CloudflareRequest = {},
  ): Promise<T> {
    const [method = 'GET', path = ''] = line.split(' ')
    const {
      body,
      contentType = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
    } = request
    const attempts = method === 'GET' || method === 'PUT' ? API_ATTEMPTS : 1
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === attempts
      try {
        const response = await ports.fetch(`${base}${path}`, {
          method,
          headers: { ...credentials, ...(body && { 'Content-Type': contentType }) },
          ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
          signal: AbortSignal.timeout(API_TIMEOUT_MS),
        })
        if (isLast || !(response.status === RATE_LIMITED || response.status >= SERVER_ERROR))
          return await read(response)
        await response.body?.cancel()
      } catch (error) {
        if (isLast) throw unreachable(base, error)
      }
      await ports.wait(API_RETRY_MS * attempt)
    }
  }

  async function ask(line: string, request?: CloudflareRequest): Promise<Envelope> {
    const { status, text } = await send(
      line,
      async (response) => ({ status: response.status, text: await response.text() }),
      request,
    )
    const parsed = Envelope.safeParse(jsonOf(text))
    if (!parsed.success)
      throw new CloudflareError(line, status, [
        {
          code: status,
          message: `The response is not in the format of Cloudflare's API: ${text.slice(0, 200)}`,
        },
      ])
    if (!parsed.data.success || status < OK || status >= 300)
      throw new CloudflareError(line, status, parsed.data.errors ?? [])
    return parsed.data
  }

  return {
    result: async (schema, line, request) => checked(schema, line, (await ask(line, request)).result),
    async list(items, line) {
      const all = []
      for (let next = ''; ;) {
        const requested = `${line}${line.includes('?') ? '&' : '?'}per_page=100${next}`
        const { result, result_info: info } = await ask(requested)
        all.push(...checked(items, line, result))
        const last = next
        if (info?.cursor) next = `&cursor=${encodeURIComponent(info.cursor)}`
        else if ((info?.page ?? 1) < (info?.total_pages ?? 1)) next = `&page=${(info?.page ?? 1) + 1}`
        else return all
        if (next === last) throw new Error(`Cloudflare's answer to ${line} repeats the same page.`)
      }
    },
    async exists(path) {
      return send(`GET ${path}`, async (response) => {
        await response.body?.cancel()
        return response.ok
      })
    },
  }
}

function checked<T>(schema: z.ZodType<T>, line: string, result: unknown): T {
  const parsed = schema.safeParse(result)
  if (parsed.success) return parsed.data
  throw new Error(`Cloudflare's answer to ${line} could not be read: ${z.prettifyError(parsed.error)}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function unreachable(base: string, error: unknown): CloudflareError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = cause instanceof Error ? cause.message : String(cause)
  return new CloudflareError(`a request to ${new URL(base).host}`, 0, [{ code: 0, message }])
}
