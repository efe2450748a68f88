// A Worker that fills the local stores. It accepts hundreds of entries in one request, which is three times as fast
// as a call of Miniflare's proxy for each. Runs inside workerd, so `storeRequest` must be self-contained.

import { randomBytes } from 'node:crypto'
import { PUSH_CONCURRENCY } from './limits.ts'

/** One page of a list of keys, in either store. */
interface Page {
  readonly keys?: readonly { readonly name: string }[]
  readonly objects?: readonly { readonly key: string }[]
  readonly list_complete?: boolean
  readonly truncated?: boolean
  readonly cursor?: string
}
interface Store {
  list(options: { prefix: string; cursor?: string }): Promise<Page>
  put(key: string, value: Uint8Array, options?: { sha256: string }): Promise<unknown>
}
export interface StoreEnv {
  readonly SKILLS: Store
  readonly RESOURCES: Store
  readonly TOKEN: string
  readonly CONCURRENCY: number
}

/** Sends a request with a path (including the query) and a body. Rejects if the Worker cannot be reached. */
export type AskStores = (path: string, body?: Uint8Array<ArrayBuffer>) => Promise<Response>

/**
 * Handles a request. `POST /SKILLS?list=PREFIX` returns a JSON list of all keys with this prefix. `POST /RESOURCES`
 * stores entries and returns 204; its body is a line of JSON `[[key, bytes], …]` followed by all their bytes. Without
 * the token it returns 403, because whoever reaches the port can address any Worker with a header.
 */
export async function storeRequest(request: Request, env: StoreEnv): Promise<Response> {
  if (request.headers.get('Authorization') !== env.TOKEN) return new Response(null, { status: 403 })
  const { pathname, searchParams } = new URL(request.url)
  const store = pathname === '/SKILLS' ? env.SKILLS : env.RESOURCES
  const prefix = searchParams.get('list')
  if (prefix !== null) {
    const keys: string[] = []
    let cursor: string | undefined
    do {
      const page: Page = await store.list({ prefix, ...(cursor !== undefined && { cursor }) })
      for (const { name } of page.keys ?? []) keys.push(name)
      for (const { key } of page.objects ?? []) keys.push(key)
      cursor = page.list_complete === false || page.truncated === true ? page.cursor : undefined
    } while (cursor !== undefined)
    return Response.json(keys)
  }
  const body = new Uint8Array(await request.arrayBuffer())
  const lineEnd = body.indexOf(10)
  // The cast is safe: only local-target.ts has the token.
  const list = JSON.parse(new TextDecoder().decode(body.subarray(0, lineEnd))) as [string, number][]
  let offset = lineEnd + 1
  const queue = list.map(([key, size]) => ({ key, bytes: body.slice(offset, (offset += size)) })).values()
  const worker = async (): Promise<void> => {
    for (const { key, bytes } of queue) {
      // R2 verifies the bytes against this digest.
      const sha256 = /[0-9a-f]{64}$/.exec(key)?.[0]
      await (sha256 !== undefined && store === env.RESOURCES
        ? store.put(key, bytes, { sha256 })
        : store.put(key, bytes))
    }
  }
  await Promise.all(Array.from({ length: env.CONCURRENCY }, worker))
  return new Response(null, { status: 204 })
}

/** The Worker as a Miniflare option. `stores` are the options that contain the stores' bindings. */
export function storeWorker(stores: Readonly<Record<string, unknown>>): {
  readonly name: string
  readonly token: string
  readonly options: object
} {
  const name = 'stores'
  const token = randomBytes(32).toString('hex')
  // Node has stripped the types, so that workerd can run the source of the function.
  const contents = `${storeRequest.toString()}\nexport default { fetch: storeRequest }\n`
  const options = {
    name,
    compatibilityDate: stores['compatibilityDate'],
    kvNamespaces: stores['kvNamespaces'],
    r2Buckets: stores['r2Buckets'],
    bindings: { TOKEN: token, CONCURRENCY: PUSH_CONCURRENCY },
    modules: [{ type: 'ESModule', path: 'index.js', contents }],
  }
  return { name, token, options }
}
