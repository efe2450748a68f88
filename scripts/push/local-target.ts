// The stores of a local `wrangler dev`: its state folder, opened through wrangler's own proxy. No running server may
// hold the same folder meanwhile.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PUSH_CONCURRENCY } from '../../src/limits.ts'
import { mapBounded } from '../build/pool.ts'
import type { PushTarget } from './push.ts'

/** The little of both stores that is used here. */
export interface LocalStores {
  readonly SKILLS: {
    list(options: { prefix: string; cursor?: string }): Promise<ListedKv>
    put(key: string, value: string): Promise<void>
  }
  readonly RESOURCES: {
    list(options: { prefix: string; cursor?: string }): Promise<ListedObjects>
    put(key: string, value: Uint8Array): Promise<unknown>
  }
}
interface ListedKv {
  readonly keys: readonly { readonly name: string }[]
  readonly list_complete: boolean
  readonly cursor?: string
}
interface ListedObjects {
  readonly objects: readonly { readonly key: string }[]
  readonly truncated: boolean
  readonly cursor?: string
}

/**
 * Opens the folder that `wrangler dev --persist-to DIR` uses (the data lies in DIR/v3). `close` must be called:
 * it ends the runtime behind it.
 */
export async function openLocal(
  configPath: string,
  persistTo: string,
): Promise<{ readonly target: PushTarget; close(): Promise<void> }> {
  // Loaded on demand: wrangler takes a second and a half, and a server that is up already has its stores open.
  const { getPlatformProxy, unstable_readConfig: readConfig } = await import('wrangler')
  const config = readConfig({ config: configPath }, { hideWarnings: true })
  // The two stores alone: with the Worker's own file wrangler would look for its Durable Objects and complain.
  const folder = await mkdtemp(join(tmpdir(), 'satchel-push-'))
  const stores = join(folder, 'wrangler.json')
  const { compatibility_date, kv_namespaces, r2_buckets } = config
  await writeFile(stores, JSON.stringify({ name: 'push', compatibility_date, kv_namespaces, r2_buckets }))
  const proxy = await getPlatformProxy<LocalStores & Record<string, unknown>>({
    configPath: stores,
    persist: { path: join(persistTo, 'v3') },
    remoteBindings: false,
  })
  return {
    target: localTarget(proxy.env),
    async close() {
      await proxy.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Lists by folder of keys rather than asking for each: a build has hundreds. */
export function localTarget(env: LocalStores): PushTarget {
  return {
    async hasKv(keys) {
      const present = new Set<string>()
      for (const prefix of prefixes(keys)) {
        let cursor: string | undefined
        do {
          const page: ListedKv = await env.SKILLS.list({ prefix, ...(cursor !== undefined && { cursor }) })
          for (const { name } of page.keys) present.add(name)
          cursor = page.list_complete ? undefined : page.cursor
        } while (cursor !== undefined)
      }
      return present
    },
    async hasBlobs(keys) {
      const present = new Set<string>()
      for (const prefix of prefixes(keys)) {
        let cursor: string | undefined
        do {
          const page: ListedObjects = await env.RESOURCES.list({
            prefix,
            ...(cursor !== undefined && { cursor }),
          })
          for (const { key } of page.objects) present.add(key)
          cursor = page.truncated ? page.cursor : undefined
        } while (cursor !== undefined)
      }
      return present
    },
    async putKv(entries) {
      await mapBounded(entries, PUSH_CONCURRENCY, async ({ key, value }) => env.SKILLS.put(key, value))
    },
    async putBlobs(entries) {
      await mapBounded(entries, PUSH_CONCURRENCY, async ({ key, bytes }) => env.RESOURCES.put(key, bytes))
    },
  }
}

/** The distinct folders of keys: `build/body/…` → `build/body/`. */
export function prefixes(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)))]
}
