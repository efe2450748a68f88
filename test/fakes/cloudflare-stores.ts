// KV and R2 of the fake account, as wrangler 4.164 calls them.

import { randomUUID } from 'node:crypto'

import { listed, Refusal, type Answer, type Route } from './cloudflare-wire.ts'

interface Namespace {
  readonly id: string
  readonly title: string
  readonly keys: Map<string, string>
}

const MADE_AT = '2026-11-20T10:00:00.000Z'

export class Stores {
  readonly namespaces: Namespace[] = []
  readonly buckets = new Map<string, Map<string, Uint8Array>>()
  hasR2 = true

  namespace(title: string): Namespace | undefined {
    return this.namespaces.find((namespace) => namespace.title === title)
  }

  kv(id: string): Map<string, string> {
    const namespace = this.namespaces.find((each) => each.id === id)
    if (!namespace) throw new Refusal(404, 10_013, 'namespace not found')
    return namespace.keys
  }

  routes(): readonly Route[] {
    return [
      [
        /^GET \/storage\/kv\/namespaces$/,
        (_, request) =>
          listed(
            this.namespaces.map(({ id, title }) => ({ id, title, supports_url_encoding: true })),
            request,
          ),
      ],
      [/^POST \/storage\/kv\/namespaces$/, async (_, request) => this.#makeNamespace(request)],
      [
        /^GET \/storage\/kv\/namespaces\/([^/]+)\/keys$/,
        ([, id = ''], request) => {
          const prefix = new URL(request.url).searchParams.get('prefix') ?? ''
          const names = [...this.kv(id).keys()].filter((key) => key.startsWith(prefix))
          return {
            result: names.map((name) => ({ name })),
            result_info: { count: names.length, cursor: '' },
          }
        },
      ],
      [
        /^PUT \/storage\/kv\/namespaces\/([^/]+)\/bulk$/,
        async ([, id = ''], request) => {
          // As the API documents it.
          const entries = (await request.json()) as readonly {
            readonly key: string
            readonly value: string
          }[]
          for (const { key, value } of entries) this.kv(id).set(key, value)
          return { result: { successful_key_count: entries.length, unsuccessful_keys: [] } }
        },
      ],
      [
        /^GET \/r2\/buckets$/,
        () => {
          this.#needR2()
          return {
            result: { buckets: [...this.buckets.keys()].map((name) => ({ name, creation_date: MADE_AT })) },
          }
        },
      ],
      [
        /^GET \/r2\/buckets\/([^/]+)$/,
        ([, name = '']) => {
          this.#bucket(name)
          return { result: { name } }
        },
      ],
      [/^POST \/r2\/buckets$/, async (_, request) => this.#makeBucket(request)],
      [
        /^PUT \/r2\/buckets\/([^/]+)\/objects\/(.+)$/,
        async ([, bucket = '', key = ''], request) => {
          this.#bucket(bucket).set(key, new Uint8Array(await request.arrayBuffer()))
          return { result: { key } }
        },
      ],
      [
        /^GET \/r2\/buckets\/([^/]+)\/objects\/(.+)$/,
        ([, bucket = '', key = '']) => {
          const bytes = this.#bucket(bucket).get(key)
          if (!bytes) throw new Refusal(404, 10_007, 'The specified key does not exist.')
          return new Response(new Uint8Array(bytes))
        },
      ],
    ]
  }

  #bucket(name: string): Map<string, Uint8Array> {
    const bucket = this.buckets.get(name)
    if (!bucket) throw new Refusal(404, 10_006, 'The specified bucket does not exist.')
    return bucket
  }

  async #makeNamespace(request: Request): Promise<Answer> {
    // As wrangler writes it.
    const { title } = (await request.json()) as { readonly title: string }
    if (this.namespace(title))
      throw new Refusal(400, 10_014, 'a namespace with this account ID and title already exists')
    const made = { id: randomUUID().replaceAll('-', ''), title, keys: new Map<string, string>() }
    this.namespaces.push(made)
    return { result: { id: made.id, title, supports_url_encoding: true } }
  }

  #needR2(): void {
    if (!this.hasR2) throw new Refusal(403, 10_042, 'Please enable R2 through the Cloudflare Dashboard.')
  }

  async #makeBucket(request: Request): Promise<Answer> {
    this.#needR2()
    // As wrangler writes it.
    const { name } = (await request.json()) as { readonly name: string }
    if (this.buckets.has(name))
      throw new Refusal(409, 10_004, 'The bucket you tried to create already exists, and you own it.')
    this.buckets.set(name, new Map())
    return { result: { name, creation_date: MADE_AT, storage_class: 'Standard' } }
  }
}
