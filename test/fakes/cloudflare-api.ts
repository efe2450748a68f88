// A fake of Cloudflare's API as wrangler 4.164 and this project call it, with one account. It also acts as the edge: `/NAME/readyz`
// answers for the Worker of that name. Records every request in order.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { Scripts } from './cloudflare-scripts.ts'
import { Stores } from './cloudflare-stores.ts'
import { enveloped, listed, Refusal, refused, type Route } from './cloudflare-wire.ts'

export const TOKEN = 'a-token-of-the-stand-in-account'
export const ACCOUNT = '0123456789abcdef0123456789abcdef'
const NAMED = { id: ACCOUNT, name: 'Example Team' }
const API = '/client/v4'
const HERE = `${API}/accounts/${ACCOUNT}`

interface Fault {
  readonly line: RegExp
  readonly refusal: Refusal
  /** Whether the request is carried out although it is answered as failed. */
  readonly isDone: boolean
  after: number
}

export class CloudflareApi {
  /** Methods with paths below the account, such as `PUT /workers/scripts/satchel`; elsewhere with the whole path. */
  readonly requested: string[] = []
  /** The accounts of the login. */
  accounts: readonly { readonly id: string; readonly name: string }[] = [NAMED]
  readonly stores = new Stores()
  readonly scripts = new Scripts()
  url = ''
  readonly #faults: Fault[] = []
  readonly #routes: readonly Route[] = [
    ...this.#accountRoutes(),
    ...this.stores.routes(),
    ...this.scripts.routes(),
  ]
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The stand-in has no port.')
    this.url = `http://127.0.0.1:${address.port}`
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Refuses requests whose line matches, except for the first `after` of them. */
  refuse(line: RegExp, status: number, code: number, message: string, after = 0): void {
    this.#faults.push({ line, refusal: new Refusal(status, code, message), after, isDone: false })
  }

  /** Carries out requests whose line matches, but answers as if they had failed. */
  misreport(line: RegExp): void {
    const refusal = new Refusal(500, 10_013, 'An unknown error has occurred.')
    this.#faults.push({ line, refusal, after: 0, isDone: true })
  }

  /** Stops refusing. */
  fix(): void {
    this.#faults.length = 0
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    // The cast is safe: a request without an encoding yields buffers.
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const method = incoming.method ?? 'GET'
    const body = chunks.length > 0 && method !== 'GET' ? { body: new Uint8Array(Buffer.concat(chunks)) } : {}
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const request = new Request(`${this.url}${incoming.url ?? '/'}`, { method, headers, ...body })
    const response = await this.#answer(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(API)) return this.#edge(pathname)
    const path = decodeURIComponent(pathname)
    const line = `${request.method} ${path.replace(HERE, '').replace(API, '')}`
    this.requested.push(line)
    try {
      const fault = this.#faults.find((each) => each.line.test(line) && each.after-- <= 0)
      if (fault && !fault.isDone) throw fault.refusal
      const isAssets = path === `${HERE}/workers/assets/upload`
      if (!isAssets && request.headers.get('authorization') !== `Bearer ${TOKEN}`) throw refusedToken(path)
      for (const [route, handler] of this.#routes) {
        const match = route.exec(line)
        if (!match) continue
        const done = await handler(match, request)
        if (fault) throw fault.refusal
        return enveloped(done)
      }
      throw new Refusal(404, 7_003, `No route for ${line}: the stand-in does not know it.`)
    } catch (error) {
      if (error instanceof Refusal) return refused(error)
      throw error
    }
  }

  #accountRoutes(): readonly Route[] {
    const memberships = () => this.accounts.map((account) => ({ id: 'm', account, roles: ['Administrator'] }))
    return [
      [/^GET \/user\/tokens\/verify$/, () => ({ result: { id: 'token', status: 'active' } })],
      [/^GET \/user$/, () => ({ result: { id: 'user', email: 'dev@example.com' } })],
      [/^GET \/accounts$/, (_, request) => listed(this.accounts, request)],
      [/^GET \/memberships$/, (_, request) => listed(memberships(), request)],
    ]
  }

  /** What the deployed Worker would answer: ready once its stores contain the index of its build. */
  #edge(pathname: string): Response {
    const worker = this.scripts.all.get(pathname.split('/')[1] ?? '')
    if (!worker?.live || !worker.isReachable)
      return new Response('There is nothing here yet', { status: 404 })
    const build = worker.build()
    const { SKILLS = '' } = worker.stores()
    if (build !== null && this.stores.kv(SKILLS).has(`index/${build}`))
      return Response.json({ status: 'ready', build, catalog_version: 1 })
    return Response.json(
      { code: 'not_ready', status: 503, detail: 'The skills are missing.' },
      { status: 503 },
    )
  }
}

/** Refuses an unknown token in the way of each route: only the first says that the token is invalid. */
function refusedToken(path: string): Refusal {
  return path.endsWith('/verify')
    ? new Refusal(401, 1_000, 'Invalid API Token')
    : new Refusal(403, 9_109, 'Invalid access token')
}
