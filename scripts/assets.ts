// Builds dist/assets: what wrangler serves and uploads as static files. wrangler.toml runs it before a deploy.

import { fileURLToPath } from 'node:url'

import { buildAssets } from './assets/build.ts'

await buildAssets(fileURLToPath(new URL('..', import.meta.url)))
