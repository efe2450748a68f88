// What is deployed now: whether the Worker is there, its secrets by name, the stores that it is bound to.

import * as z from 'zod'

import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'

export interface LiveWorker {
  readonly exists: boolean
  /** Names only: nobody can read a value. */
  readonly secrets: ReadonlySet<string>
  /** By binding: the id of a KV namespace, the name of a bucket. */
  readonly stores: Readonly<Record<string, string>>
  /** What was deployed (stamp.ts); null: by another command than ours. */
  readonly stamp: string | null
}

const NOTHING = { secrets: new Set<string>(), stores: {}, stamp: null }

const Secrets = z.array(z.object({ name: z.string() }))
const Deployment = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1),
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

/** Rejects with wrangler's words when Cloudflare cannot be asked. */
export async function lookAtLive(run: RunWrangler): Promise<LiveWorker> {
  const [listed, status] = await Promise.all([
    unless(/Worker "[^"]*"(?: \([^)]*\))? not found/, run(['secret', 'list'])),
    unless(/has no deployments|\[code: 10007\]/, run(['deployments', 'status', '--json'])),
  ])
  if (listed === null) return { exists: false, ...NOTHING }
  const secrets = new Set(parseOutput(Secrets, listed, '[').map(({ name }) => name))
  if (status === null) return { ...NOTHING, exists: true, secrets }
  const versions = parseOutput(Deployment, status, '{').versions.toSorted(
    (a, b) => b.percentage - a.percentage,
  )
  const version = await run(['versions', 'view', versions[0]?.version_id ?? '', '--json'])
  const stores: Record<string, string> = {}
  const { bindings } = parseOutput(Version, version, '{').resources
  for (const binding of bindings) {
    const id = binding.type === 'kv_namespace' ? binding.namespace_id : binding.bucket_name
    if (id !== undefined) stores[binding.name] = id
  }
  const stamp =
    bindings.find(({ name, type }) => name === 'DEPLOYED_AS' && type === 'plain_text')?.text ?? null
  return { exists: true, secrets, stores, stamp }
}

/** Null where wrangler failed with these words, which are an answer. */
async function unless(words: RegExp, ran: Promise<string>): Promise<string | null> {
  try {
    return await ran
  } catch (error) {
    if (error instanceof WranglerError && words.test(error.said)) return null
    throw error
  }
}

/** Notices may stand before the JSON that wrangler prints. */
export function parseOutput<T>(schema: z.ZodType<T>, out: string, opens: '[' | '{'): T {
  const from = out.search(opens === '[' ? /^\[/m : /^\{/m)
  try {
    return schema.parse(JSON.parse(from === -1 ? out : out.slice(from)))
  } catch {
    throw new Error(`wrangler gave an unknown answer: ${out.trim().slice(0, 200)}`)
  }
}
