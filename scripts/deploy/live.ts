// Reads what is deployed: the Worker, the names of its secrets, and its stores.

import * as z from 'zod'

import { WranglerError, type RunWrangler } from '../lib/wrangler.ts'

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

/** Reads what is deployed. Rejects with wrangler's message if Cloudflare cannot be reached. */
export async function readLiveWorker(run: RunWrangler): Promise<LiveWorker> {
  const [listed, status] = await Promise.all([
    outputUnless(/Worker "[^"]*"(?: \([^)]*\))? not found/, run(['secret', 'list'])),
    outputUnless(/has no deployments|\[code: 10007\]/, run(['deployments', 'status', '--json'])),
  ])
  if (listed === null) return { exists: false, ...EMPTY }
  const secrets = new Set(parseOutput(Secrets, listed, '[').map(({ name }) => name))
  if (status === null) return { ...EMPTY, exists: true, secrets }
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

/** The output of a wrangler command; null if it failed with output that matches `expected`. */
async function outputUnless(expected: RegExp, output: Promise<string>): Promise<string | null> {
  try {
    return await output
  } catch (error) {
    if (error instanceof WranglerError && expected.test(error.output)) return null
    throw error
  }
}

/** Parses JSON in wrangler's output, before which wrangler may print notices. */
export function parseOutput<T>(schema: z.ZodType<T>, out: string, bracket: '[' | '{'): T {
  const from = out.search(bracket === '[' ? /^\[/m : /^\{/m)
  try {
    return schema.parse(JSON.parse(from === -1 ? out : out.slice(from)))
  } catch {
    throw new Error(`The output of wrangler could not be read: ${out.trim().slice(0, 200)}`)
  }
}
