// Accesses the deployed stores with Cloudflare's API, which does not list R2, so a ledger records the sent keys.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod'
import { blobKey, indexKey } from '../../src/skills/store/keys.ts'
import { prefixes } from './local-target.ts'
import type { PushTarget } from './push.ts'
import type { Cloudflare } from '../lib/cloudflare.ts'
import { R2_CONCURRENCY } from '../lib/limits.ts'
import { mapBounded } from '../lib/pool.ts'

export interface RemoteOptions {
  readonly api: Cloudflare
  /** Paths below the API: of the KV namespace, and of the bucket. */
  readonly namespace: string
  readonly bucket: string
  /** A JSON list of the keys that were sent to R2. If it is missing, everything is sent again, which is harmless. */
  readonly ledgerFile: string
  /** Sends every object, regardless of the ledger. */
  readonly all: boolean
  /** True if the stores are new, so that they need not be checked. */
  readonly areNew?: boolean
}

const Keys = z.array(z.string())
const Listed = z.array(z.object({ name: z.string() }))
/** KV may store only some of the entries and still report success. */
const Written = z
  .object({ unsuccessful_keys: z.array(z.string()).nullish() })
  .nullish()
  .refine((written) => !written?.unsuccessful_keys?.length, 'KV did not write all keys')

interface RemoteTarget extends PushTarget {
  /**
   * Whether the stores have the complete build: a push sends its index last, to both R2 and KV. Does not need the
   * ledger, so that another machine (such as CI) sends nothing twice.
   */
  hasBuild(digest: string): Promise<boolean>
}

export function remoteTarget({
  api,
  namespace,
  bucket,
  ledgerFile,
  all,
  areNew,
}: RemoteOptions): RemoteTarget {
  let ledgerKeys: readonly string[] | null = null

  /** The keys in the ledger; empty if the bucket lacks the newest one, because it was emptied or is another one. */
  async function sentKeys(): Promise<readonly string[]> {
    if (ledgerKeys) return ledgerKeys
    const keys = all || areNew ? [] : await readLedger(ledgerFile)
    const newest = keys.at(-1)
    ledgerKeys = newest !== undefined && (await hasObject(newest)) ? keys : []
    return ledgerKeys
  }

  /** If the object is unreachable, it counts as missing: sending it again is correct, or reports the failure. */
  async function hasObject(key: string): Promise<boolean> {
    try {
      return await api.exists(`${bucket}/objects/${key}`)
    } catch {
      return false
    }
  }

  async function listKeys(keyPrefixes: readonly string[]): Promise<Set<string>> {
    const present = new Set<string>()
    for (const prefix of areNew ? [] : keyPrefixes) {
      const line = `GET ${namespace}/keys?prefix=${encodeURIComponent(prefix)}`
      for (const { name } of await api.list(Listed, line)) present.add(name)
    }
    return present
  }

  return {
    async hasBuild(digest) {
      if (areNew) return false
      const index = indexKey(digest)
      const [inKv, inR2] = await Promise.all([listKeys([index]), hasObject(blobKey('build', digest))])
      return inKv.has(index) && inR2
    },
    hasKv: async (keys) => listKeys(prefixes(keys)),
    async hasBlobs(keys) {
      const wanted = new Set(keys)
      return new Set((await sentKeys()).filter((key) => wanted.has(key)))
    },
    async putKv(entries) {
      await api.result(Written, `PUT ${namespace}/bulk`, { body: entries })
    },
    async putBlobs(entries) {
      await mapBounded(entries, R2_CONCURRENCY, async ({ key, bytes }) =>
        api.result(z.unknown(), `PUT ${bucket}/objects/${key}`, { body: bytes }),
      )
      ledgerKeys = [...new Set([...(await sentKeys()), ...entries.map(({ key }) => key)])]
      await mkdir(dirname(ledgerFile), { recursive: true })
      await writeFile(ledgerFile, JSON.stringify(ledgerKeys))
    },
  }
}

async function readLedger(file: string): Promise<readonly string[]> {
  try {
    return Keys.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return [] // It is missing or damaged, so everything is sent.
  }
}
