// Sends the missing objects of a build to the deployed stores.

import { join } from 'node:path'

import { pushBuild } from './push.ts'
import { remoteTarget } from './remote-target.ts'

import type { Build } from '../build/build.ts'
import type { RunWrangler } from '../lib/wrangler.ts'
import type { Progress, PushTotals } from './push.ts'

interface Destination {
  /** Runs wrangler with a configuration that contains the ID of SKILLS. */
  readonly run: RunWrangler
  /** The name of the bucket that RESOURCES refers to. */
  readonly bucket: string
  /** Sends every object, even if it exists. */
  readonly all: boolean
  /** True if both stores are new, so that they need not be checked. */
  readonly areNew: boolean
}

/** Sends the build. Rejects with wrangler's message; another call then continues after the objects that were sent. */
export async function sendRemote(
  root: string,
  build: Build,
  { run, bucket, all, areNew }: Destination,
  progress: Progress,
): Promise<PushTotals> {
  const ledgerFile = join(root, `.wrangler/pushed-${bucket}.json`)
  const target = remoteTarget({ run, bucket, ledgerFile, all, areNew })
  if (!all && (await target.hasBuild(build.digest))) return { blobs: 0, kv: 0, bytes: 0 }
  return pushBuild(build, target, progress)
}
