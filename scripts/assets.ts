// Builds dist/assets, the static files that wrangler serves and uploads, and dist/stand-ins, which it bundles. wrangler.toml runs
// this before a deploy.

import { fileURLToPath } from 'node:url'

import { buildAssets } from './assets/build.ts'
import { buildRuntimes } from './runtimes/build.ts'
import { writeStandIns } from './workerd/stand-ins.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

writeStandIns(ROOT)
await buildRuntimes(ROOT, false, (line) => console.log(line))
await buildAssets(ROOT)
