// Derives the configuration of one deployment from wrangler.toml, with its names, stores and absolute paths. Pure,
// except for writeConfig, which writes below dist/.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'

const Kv = z.looseObject({ binding: z.string(), id: z.string().optional() })
const Bucket = z.looseObject({ binding: z.string(), bucket_name: z.string().optional() })
const RateLimit = z.looseObject({ name: z.string(), namespace_id: z.string() })

/** The fields of wrangler.toml that a deploy reads. All other fields remain unchanged. */
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

/** Matches names of deployments. They are short, because the names of Workers and buckets contain them. */
const ENV_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/**
 * The configuration of the deployment `env`, or of the default one if it is null. `raw` is wrangler.toml as wrangler
 * parsed it. Other deployments have the same bindings but separate stores, counters and addresses; `[env.NAME]` in
 * wrangler.toml overrides them.
 */
export function configFor(raw: unknown, root: string, env: string | null): Result<Config, string> {
  const parsed = Fields.safeParse(raw)
  if (!parsed.success) return err(`wrangler.toml: ${z.prettifyError(parsed.error)}`)
  const { env: _environments, ...base } = parsed.data
  if (env === null) return ok(withAbsolutePaths(base, root))
  if (!ENV_NAME.test(env))
    return err(
      `--env ${env}: Use a name of up to 32 lower-case letters, digits and hyphens, such as staging.`,
    )
  if (env === 'production')
    return err('--env production: A deploy without --env is the production deployment. Leave --env out.')
  const environments = Environments.safeParse(raw)
  if (!environments.success) return err(`wrangler.toml: ${z.prettifyError(environments.error)}`)
  const overrides = environments.data.env[env] ?? {}
  // Addresses are left out, because another Worker with the same address would replace the first one there.
  const { route: _route, routes: _routes, workers_dev: _workersDev, ...shared } = base
  const merged = Fields.safeParse({
    ...shared,
    name: `${base.name}-${env}`,
    kv_namespaces: base.kv_namespaces.map(({ id: _id, ...binding }) => binding),
    r2_buckets: base.r2_buckets.map(({ bucket_name: _name, ...binding }) => binding),
    ratelimits: base.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: separateCounterId(limit.namespace_id, env),
    })),
    ...overrides,
    ...((base.vars ?? overrides.vars) && { vars: { ...base.vars, ...overrides.vars } }),
  })
  return merged.success
    ? ok(withAbsolutePaths(merged.data, root))
    : err(`wrangler.toml, [env.${env}]: ${z.prettifyError(merged.error)}`)
}

/** The ID of a separate rate limit counter. Workers in one account that use the same ID share a counter. */
function separateCounterId(id: string, env: string): string {
  return String(createHash('sha256').update(`${env}/${id}`).digest().readUInt32BE(0) >>> 1)
}

function withAbsolutePaths(config: Config, root: string): Config {
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

/** Adds the stores. `ids` maps each binding to the ID of a KV namespace or the name of a bucket. */
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

/** The configuration for a plan that has no Worker Loader. */
export function withoutLoader({ worker_loaders: _loaders, ...config }: Config): Config {
  return config
}

/** The file from which wrangler reads the configuration of this Worker. */
export function configFile(root: string, config: Config): string {
  return join(root, 'dist/deploy', `${config.name}.json`)
}

export function writeConfig(root: string, config: Config): void {
  const file = configFile(root, config)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
}
