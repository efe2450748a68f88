// Finds out which stores of a deployment are linked, exist in the account or must be created, and creates them. Uses
// the same names as wrangler, so that either can use the other's stores.

import * as z from 'zod'

import { CloudflareError } from '../lib/cloudflare.ts'
import type { Remote } from './account.ts'
import type { LiveWorker } from './live.ts'

import type { Config } from './config.ts'

export interface StoreBinding {
  readonly binding: string
  readonly kind: 'KV' | 'R2'
  /** The title of a namespace or the name of a bucket; null if only its ID is known. */
  readonly name: string | null
  /** What the binding refers to: the ID of a namespace or the name of a bucket; null if it does not exist yet. */
  readonly id: string | null
  /**
   * `linked` if wrangler.toml or the deployed Worker refers to the store; `found` if a store with this name exists, for
   * example from an earlier attempt.
   */
  readonly state: 'linked' | 'found' | 'new'
}

const Namespace = z.object({ id: z.string(), title: z.string() })
const Namespaces = z.array(Namespace)
const Buckets = z
  .object({ buckets: z.array(z.object({ name: z.string() })) })
  .transform(({ buckets }) => buckets)

/** The name of a store, as wrangler would choose it: `satchel-resources` for `satchel` and `RESOURCES`. */
function storeName(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}

/**
 * Finds the stores. Sends no request for linked stores. In a dry run (`live` and `remote` are null) it sends no request at all, and
 * treats every store without an ID in the configuration as new.
 */
export async function findStores(
  config: Config,
  live: LiveWorker | null,
  remote: Remote | null,
): Promise<readonly StoreBinding[]> {
  const linked = live?.stores ?? {}
  const kv = config.kv_namespaces.map(({ binding, id }): StoreBinding => {
    const known = id ?? linked[binding] ?? null
    const name = known === null ? storeName(config.name, binding) : null
    return { binding, kind: 'KV', name, id: known, state: known === null ? 'new' : 'linked' }
  })
  const r2 = config.r2_buckets.map(({ binding, bucket_name: bucketName }): StoreBinding => {
    const name = bucketName ?? linked[binding] ?? storeName(config.name, binding)
    const isLinked = linked[binding] === name
    return { binding, kind: 'R2', name, id: isLinked ? name : null, state: isLinked ? 'linked' : 'new' }
  })
  if (live === null || remote === null) return [...kv, ...r2]
  const [titles, buckets] = await Promise.all([
    kv.some(({ id }) => id === null) ? namespaceIds(remote) : new Map<string, string>(),
    r2.some(({ id }) => id === null) ? bucketNames(remote) : new Set<string>(),
  ])
  return [...kv, ...r2].map((store) => {
    if (store.id !== null || store.name === null) return store
    const id = store.kind === 'KV' ? titles.get(store.name) : buckets.has(store.name) ? store.name : undefined
    return id === undefined ? store : { ...store, id, state: 'found' }
  })
}

/** Creates stores that do not exist and returns all IDs by binding. Rejects with a message if Cloudflare refuses. */
export async function createStores(
  stores: readonly StoreBinding[],
  { api, account }: Remote,
  say: (line: string) => void,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {}
  for (const { binding, kind, name, id } of stores) {
    const known = id ?? (kind === 'R2' ? name : null)
    if (id === null && name !== null) {
      const body = kind === 'KV' ? { title: name } : { name }
      if (kind === 'KV')
        ids[binding] = (await api.result(Namespace, `POST ${account}/storage/kv/namespaces`, { body })).id
      else await explainR2(api.result(z.unknown(), `POST ${account}/r2/buckets`, { body }))
      say(`created ${kind} ${name}`)
    }
    if (known !== null) ids[binding] = known
  }
  return ids
}

async function namespaceIds({ api, account }: Remote): Promise<ReadonlyMap<string, string>> {
  const list = await api.list(Namespaces, `GET ${account}/storage/kv/namespaces`)
  return new Map(list.map(({ id, title }) => [title, id]))
}

async function bucketNames({ api, account }: Remote): Promise<ReadonlySet<string>> {
  const buckets = await explainR2(api.list(Buckets, `GET ${account}/r2/buckets`))
  return new Set(buckets.map(({ name }) => name))
}

const R2_DISABLED_CODE = 10_042

async function explainR2<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof CloudflareError && error.codes.includes(R2_DISABLED_CODE))
      throw new Error(
        'R2, which stores skills and files, is not enabled for this account. Enable it at https://dash.cloudflare.com ' +
          '(R2 Object Storage; 10 GB are free), then run the same command again.',
        { cause: error },
      )
    throw error
  }
}
