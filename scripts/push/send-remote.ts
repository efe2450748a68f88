// Sends to the deployed stores what they lack of a build.

import { join } from 'node:path'

import { pushBuild } from './push.ts'
import { remoteTarget } from './remote-target.ts'

import type { Build } from '../build/build.ts'
import type { RunWrangler } from '../lib/wrangler.ts'
import type { Progress, PushTotals } from './push.ts'

interface Destination {
  /** A wrangler whose configuration has the id of SKILLS. */
  readonly run: RunWrangler
  /** The bucket of RESOURCES. */
  readonly bucket: string
  /** Send every object, even existing ones. */
  readonly all: boolean
  /** Both stores are new: they need not be checked. */
  readonly areNew: boolean
}

/** Rejects with wrangler's message; objects sent before need not be sent again. */
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
