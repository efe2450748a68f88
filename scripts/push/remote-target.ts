// Accesses the deployed stores with wrangler's commands. They cannot list R2, so a ledger records the sent keys.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { blobKey, indexKey } from '../../src/skills/store/keys.ts'
import { prefixes } from './local-target.ts'
import type { PushTarget } from './push.ts'
import type { RunWrangler } from '../lib/wrangler.ts'

export interface RemoteOptions {
  readonly run: RunWrangler
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

interface RemoteTarget extends PushTarget {
  /**
   * Whether the stores have the complete build: a push sends its index last, to both R2 and KV. Does not need the
   * ledger, so that another machine (such as CI) sends nothing twice.
   */
  hasBuild(digest: string): Promise<boolean>
}

export function remoteTarget({ run, bucket, ledgerFile, all, areNew }: RemoteOptions): RemoteTarget {
  let ledgerKeys: readonly string[] | null = null

  /** The keys in the ledger; empty if the bucket lacks the newest one, because it was emptied or is another one. */
  async function sentKeys(): Promise<readonly string[]> {
    if (ledgerKeys) return ledgerKeys
    const keys = all || areNew ? [] : await readLedger(ledgerFile)
    const newest = keys.at(-1)
    ledgerKeys = newest !== undefined && (await hasObject(newest)) ? keys : []
    return ledgerKeys
  }

  async function hasObject(key: string): Promise<boolean> {
    return inTemporaryFolder(async (folder) => {
      try {
        await run(['r2', 'object', 'get', `${bucket}/${key}`, '--file', join(folder, 'probe'), '--remote'])
        return true
      } catch {
        return false // It is missing or unreachable. Sending it again is correct, or reports the failure.
      }
    })
  }

  async function listKeys(keyPrefixes: readonly string[]): Promise<Set<string>> {
    const present = new Set<string>()
    for (const prefix of areNew ? [] : keyPrefixes) {
      const out = await run(['kv', 'key', 'list', '--binding', 'SKILLS', '--prefix', prefix, '--remote'])
      for (const { name } of readListing(out)) present.add(name)
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
      await inTemporaryFolder(async (folder) => {
        const file = join(folder, 'kv.json')
        await writeFile(file, JSON.stringify(entries))
        await run(['kv', 'bulk', 'put', file, '--binding', 'SKILLS', '--remote'])
      })
    },
    async putBlobs(entries) {
      await inTemporaryFolder(async (folder) => {
        const list: { key: string; file: string }[] = []
        for (const [index, { key, bytes }] of entries.entries()) {
          const file = join(folder, String(index))
          await writeFile(file, bytes)
          list.push({ key, file })
        }
        const file = join(folder, 'list.json')
        await writeFile(file, JSON.stringify(list))
        await run(['r2', 'bulk', 'put', bucket, '--filename', file, '--remote'])
      })
      ledgerKeys = [...new Set([...(await sentKeys()), ...entries.map(({ key }) => key)])]
      await mkdir(dirname(ledgerFile), { recursive: true })
      await writeFile(ledgerFile, JSON.stringify(ledgerKeys))
    },
  }
}

/** Parses a list of keys. wrangler may print notices before it. */
function readListing(out: string): z.infer<typeof Listed> {
  const start = out.search(/^\[/m)
  try {
    return Listed.parse(JSON.parse(start === -1 ? out : out.slice(start)))
  } catch {
    throw new Error(`The output of wrangler kv key list could not be read: ${out.trim().slice(0, 200)}`)
  }
}

async function readLedger(file: string): Promise<readonly string[]> {
  try {
    return Keys.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return [] // It is missing or damaged, so everything is sent.
  }
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'satchel-push-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
