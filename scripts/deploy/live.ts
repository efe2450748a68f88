// Reads what is deployed: the Worker, the names of its secrets, and its stores.

import * as z from 'zod'

import { CloudflareError } from '../lib/cloudflare.ts'

import type { Remote } from './account.ts'

export interface LiveWorker {
  readonly exists: boolean
  /** The names of secrets. Their values cannot be read. */
  readonly secrets: ReadonlySet<string>
  /** Maps each binding to the ID of a KV namespace or the name of a bucket. */
  readonly stores: Readonly<Record<string, string>>
  /** The stamp of the deployment (stamp.ts); null if another command deployed it. */
  readonly stamp: string | null
}

const EMPTY = { secrets: new Set<string>(), stores: {}, stamp: null }

const Secrets = z.array(z.object({ name: z.string() }))
/** The first deployment is the newest. */
const Deployments = z.object({
  deployments: z.array(
    z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) }),
  ),
})
const Version = z.object({
  resources: z.object({
    bindings: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        namespace_id: z.string().optional(),
        bucket_name: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  }),
})

/** Reads what is deployed. Rejects with a CloudflareError. */
export async function readLiveWorker({ api, worker }: Remote): Promise<LiveWorker> {
  const [listed, deployed] = await Promise.all([
    unlessAbsent(api.list(Secrets, `GET ${worker}/secrets`)),
    unlessAbsent(api.result(Deployments, `GET ${worker}/deployments`)),
  ])
  if (listed === null) return { exists: false, ...EMPTY }
  const secrets = new Set(listed.map(({ name }) => name))
  const [version] = (deployed?.deployments[0]?.versions ?? []).toSorted((a, b) => b.percentage - a.percentage)
  if (version === undefined) return { ...EMPTY, exists: true, secrets }
  const { bindings } = (await api.result(Version, `GET ${worker}/versions/${version.version_id}`)).resources
  const stores: Record<string, string> = {}
  for (const binding of bindings) {
    const id = binding.type === 'kv_namespace' ? binding.namespace_id : binding.bucket_name
    if (id !== undefined) stores[binding.name] = id
  }
  const stamp =
    bindings.find(({ name, type }) => name === 'DEPLOYED_AS' && type === 'plain_text')?.text ?? null
  return { exists: true, secrets, stores, stamp }
}

const WORKER_ABSENT_CODES = [10_007, 10_090]

async function unlessAbsent<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof CloudflareError && error.codes.some((code) => WORKER_ABSENT_CODES.includes(code)))
      return null
    throw error
  }
}
