// Finds out which stores of a deployment are linked, exist in the account or must be created, and creates them. Uses
// the same names as wrangler, so that either can use the other's stores.

import * as z from 'zod'

import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'
import { parseOutput, type LiveWorker } from './live.ts'

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

const Namespaces = z.array(z.object({ id: z.string(), title: z.string() }))

/** The name of a store, as wrangler would choose it: `satchel-resources` for `satchel` and `RESOURCES`. */
function storeName(worker: string, binding: string): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
}

/**
 * Finds the stores. Sends no request for linked stores. In a dry run (`live` is null) it sends no request at all, and
 * treats every store without an ID in the configuration as new.
 */
export async function findStores(
  config: Config,
  live: LiveWorker | null,
  run: RunWrangler,
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
  if (live === null) return [...kv, ...r2]
  const [titles, buckets] = await Promise.all([
    kv.some(({ id }) => id === null) ? namespaceIds(run) : new Map<string, string>(),
    r2.some(({ id }) => id === null) ? bucketNames(run) : new Set<string>(),
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
  run: RunWrangler,
  say: (line: string) => void,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {}
  for (const { binding, kind, name, id } of stores) {
    if (id === null && name !== null) {
      if (kind === 'KV') await run(['kv', 'namespace', 'create', name])
      const isNew = kind === 'KV' || (await createBucket(run, name))
      say(isNew ? `created ${kind} ${name}` : `${kind} ${name} already exists`)
    }
    const createdId =
      kind === 'KV' && id === null && name !== null ? (await namespaceIds(run)).get(name) : name
    const storeId = id ?? createdId ?? null
    if (storeId === null)
      throw new Error(`KV ${name} was created but is not listed yet. Run the same command again in a minute.`)
    ids[binding] = storeId
  }
  return ids
}

async function namespaceIds(run: RunWrangler): Promise<ReadonlyMap<string, string>> {
  const list = parseOutput(Namespaces, await run(['kv', 'namespace', 'list']), '[')
  return new Map(list.map(({ id, title }) => [title, id]))
}

/** The names of buckets. wrangler lists them as text (`name:  satchel-files`) and omits some if there are many. */
async function bucketNames(run: RunWrangler): Promise<ReadonlySet<string>> {
  const out = await explainR2(run(['r2', 'bucket', 'list']))
  return new Set([...out.matchAll(/^name: +(\S+)$/gm)].map(([, name = '']) => name))
}

/** Creates a bucket. Returns false if it already exists, because wrangler does not list all buckets. */
async function createBucket(run: RunWrangler, name: string): Promise<boolean> {
  try {
    await explainR2(run(['r2', 'bucket', 'create', name]))
    return true
  } catch (error) {
    if (error instanceof WranglerError && error.codes.includes(BUCKET_EXISTS_CODE)) return false
    throw error
  }
}

const BUCKET_EXISTS_CODE = 10_004
const R2_DISABLED_CODE = 10_042

async function explainR2(running: Promise<string>): Promise<string> {
  try {
    return await running
  } catch (error) {
    if (error instanceof WranglerError && error.codes.includes(R2_DISABLED_CODE))
      throw new Error(
        'R2, which stores skills and files, is not enabled for this account. Enable it at https://dash.cloudflare.com ' +
          '(R2 Object Storage; 10 GB are free), then run the same command again.',
        { cause: error },
      )
    throw error
  }
}
