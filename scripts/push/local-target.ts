// Opens the local stores, in the format of `wrangler dev`. No running server may use the same folder.

import { dirname, join } from 'node:path'
import { joinBytes, utf8 } from '../../src/lib/bytes.ts'
import type { PushTarget } from './push.ts'
import type { AskStores } from '../workerd/store-worker.ts'
import { storeWorker } from '../workerd/store-worker.ts'

/**
 * Opens the folder that `wrangler dev --persist-to DIR` uses (data is stored in DIR/v3). The caller must call `close`,
 * which ends the runtime of the stores.
 */
export async function openLocal(
  configPath: string,
  persistTo: string,
): Promise<{ readonly target: PushTarget; close(): Promise<void> }> {
  const root = dirname(configPath)
  // Imported on demand, because loading wrangler takes a second and a half and running servers do not need it.
  const [{ askStores, createMiniflare }, { readWorkerOptions }] = await Promise.all([
    import('../workerd/miniflare.ts'),
    import('../workerd/runtime.ts'),
  ])
  const { name, token, options } = storeWorker(await readWorkerOptions(root))
  const miniflare = createMiniflare(root, {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    resourcePersistencePath: join(persistTo, 'v3'),
    workers: [options],
  })
  await miniflare.ready
  return {
    target: localTarget(askStores(miniflare, name, token)),
    close: async () => miniflare.dispose(),
  }
}

/** A target that sends requests to the stores' Worker. Lists folders of keys, because a build has thousands of keys. */
export function localTarget(askStore: AskStores): PushTarget {
  const fetchOk = async (path: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> => {
    const response = await askStore(path, body)
    if (response.ok) return response
    const detail = (await response.text()).trim().slice(0, 300)
    throw new Error(`The local store responded to ${path} with status ${response.status}: ${detail}`)
  }
  const presentKeys = async (store: string, keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const present = new Set<string>()
    for (const prefix of prefixes(keys)) {
      const listed = await fetchOk(`/${store}?list=${encodeURIComponent(prefix)}`)
      // The cast is safe: the stores' Worker returns this JSON.
      for (const key of (await listed.json()) as string[]) present.add(key)
    }
    return present
  }
  const put = async (store: string, entries: readonly Entry[]): Promise<void> => {
    const list = utf8(`${JSON.stringify(entries.map(({ key, bytes }) => [key, bytes.length]))}\n`)
    await (await fetchOk(`/${store}`, joinBytes([list, ...entries.map(({ bytes }) => bytes)]))).body?.cancel()
  }
  return {
    hasKv: async (keys) => presentKeys('SKILLS', keys),
    hasBlobs: async (keys) => presentKeys('RESOURCES', keys),
    putKv: async (entries) =>
      put(
        'SKILLS',
        entries.map(({ key, value }) => ({ key, bytes: utf8(value) })),
      ),
    putBlobs: async (entries) => put('RESOURCES', entries),
  }
}

interface Entry {
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The distinct folders of keys, such as `build/body/` for `build/body/…`. */
export function prefixes(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)))]
}
