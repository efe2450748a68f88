// wrangler.toml for one deployment: with its own names, the stores that were found or created, and absolute paths.
// Pure, except for writeConfig, which writes below dist/.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'

const Kv = z.looseObject({ binding: z.string(), id: z.string().optional() })
const Bucket = z.looseObject({ binding: z.string(), bucket_name: z.string().optional() })
const RateLimit = z.looseObject({ name: z.string(), namespace_id: z.string() })

/** The fields that a deploy reads; others pass through unchanged. */
const Fields = z.looseObject({
  name: z.string(),
  main: z.string(),
  account_id: z.string().optional(),
  alias: z.record(z.string(), z.string()).optional(),
  assets: z.looseObject({ directory: z.string() }).optional(),
  kv_namespaces: z.array(Kv).default([]),
  r2_buckets: z.array(Bucket).default([]),
  durable_objects: z.looseObject({ bindings: z.array(z.looseObject({ class_name: z.string() })) }).optional(),
  worker_loaders: z.array(z.looseObject({ binding: z.string() })).optional(),
  ratelimits: z.array(RateLimit).default([]),
  vars: z.record(z.string(), z.unknown()).optional(),
})
export type Config = z.infer<typeof Fields>

const Environments = z.looseObject({
  env: z
    .record(z.string(), z.looseObject({ vars: z.record(z.string(), z.unknown()).optional() }))
    .default({}),
})

/** Names that wrangler accepts for Workers and buckets: with Satchel's longest suffix they stay below 63 characters. */
const ENV = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/**
 * `raw`: wrangler.toml as wrangler parsed it. `env`: the deployment; null: the default one. Another one has the
 * same bindings, with its own stores, counters and addresses; `[env.NAME]` of wrangler.toml overrides them.
 */
export function configFor(raw: unknown, root: string, env: string | null): Result<Config, string> {
  const read = Fields.safeParse(raw)
  if (!read.success) return err(`wrangler.toml: ${z.prettifyError(read.error)}`)
  const { env: _environments, ...top } = read.data
  if (env === null) return ok(anywhere(top, root))
  if (!ENV.test(env))
    return err(`--env ${env}: give a name of up to 32 small letters, digits and "-", like staging.`)
  if (env === 'production')
    return err('--env production: that is what a deploy without --env makes. Leave it out.')
  const others = Environments.safeParse(raw)
  if (!others.success) return err(`wrangler.toml: ${z.prettifyError(others.error)}`)
  const own = others.data.env[env] ?? {}
  // An address belongs to one Worker: a second one that claims it would take it over.
  const { route: _route, routes: _routes, workers_dev: _workersDev, ...shared } = top
  const merged = Fields.safeParse({
    ...shared,
    name: `${top.name}-${env}`,
    kv_namespaces: top.kv_namespaces.map(({ id: _id, ...binding }) => binding),
    r2_buckets: top.r2_buckets.map(({ bucket_name: _name, ...binding }) => binding),
    ratelimits: top.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: ownCounter(limit.namespace_id, env),
    })),
    ...own,
    ...((top.vars ?? own.vars) && { vars: { ...top.vars, ...own.vars } }),
  })
  return merged.success
    ? ok(anywhere(merged.data, root))
    : err(`wrangler.toml, [env.${env}]: ${z.prettifyError(merged.error)}`)
}

/** Workers of one account that use the same number share a counter. */
function ownCounter(id: string, env: string): string {
  return String(createHash('sha256').update(`${env}/${id}`).digest().readUInt32BE(0) >>> 1)
}

function anywhere(config: Config, root: string): Config {
  const { alias, assets } = config
  return {
    ...config,
    main: resolve(root, config.main),
    ...(assets && { assets: { ...assets, directory: resolve(root, assets.directory) } }),
    ...(alias && {
      alias: Object.fromEntries(
        Object.entries(alias).map(([name, path]) => [
          name,
          path.startsWith('.') ? resolve(root, path) : path,
        ]),
      ),
    }),
  }
}

/** Adds the known stores, by binding: the id of a KV namespace, the name of a bucket. */
export function withStores(config: Config, ids: Readonly<Record<string, string>>): Config {
  return {
    ...config,
    kv_namespaces: config.kv_namespaces.map((kv) => ({ ...kv, id: ids[kv.binding] ?? kv.id })),
    r2_buckets: config.r2_buckets.map((bucket) => ({
      ...bucket,
      bucket_name: ids[bucket.binding] ?? bucket.bucket_name,
    })),
  }
}

/** For a plan without a loader of isolates. */
export function withoutLoader({ worker_loaders: _loaders, ...config }: Config): Config {
  return config
}

/** Where wrangler reads a Worker's configuration. */
export function configFile(root: string, config: Config): string {
  return join(root, 'dist/deploy', `${config.name}.json`)
}

export function writeConfig(root: string, config: Config): void {
  const file = configFile(root, config)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
}
