// Sends the missing objects of a build to the deployed stores.

import { join } from 'node:path'

import { pushBuild } from './push.ts'
import { remoteTarget } from './remote-target.ts'

import type { Build } from '../build/build.ts'
import type { Cloudflare } from '../lib/cloudflare.ts'
import type { Progress, PushTotals } from './push.ts'

interface Destination {
  readonly api: Cloudflare
  /** The path of the account: `/accounts/ID`. */
  readonly account: string
  /** The ID of the namespace that SKILLS refers to, and the name of the bucket that RESOURCES refers to. */
  readonly namespace: string
  readonly bucket: string
  /** Sends every object, even if it exists. */
  readonly all: boolean
  /** True if both stores are new, so that they need not be checked. */
  readonly areNew: boolean
}

/** Sends the build. Rejects with Cloudflare's message; another call then continues after the objects that were sent. */
export async function sendRemote(
  root: string,
  build: Build,
  { api, account, namespace, bucket, all, areNew }: Destination,
  progress: Progress,
): Promise<PushTotals> {
  const ledgerFile = join(root, `.wrangler/pushed-${bucket}.json`)
  const target = remoteTarget({
    api,
    namespace: `${account}/storage/kv/namespaces/${namespace}`,
    bucket: `${account}/r2/buckets/${bucket}`,
    ledgerFile,
    all,
    areNew,
  })
  if (!all && (await target.hasBuild(build.digest))) return { blobs: 0, kv: 0, bytes: 0 }
  return pushBuild(build, target, progress)
}
