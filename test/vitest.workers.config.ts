// Tests inside workerd, with real KV, R2 and Durable Objects. Their storage is local and discarded.
import { cloudflareTest } from '@cloudflare/vitest-pool-workers'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { buildAssets } from '../scripts/assets/build.ts'
import { buildRuntimes } from '../scripts/runtimes/build.ts'
import { RUNTIMES } from '../scripts/runtimes/store.ts'
import { UNTIL_MS } from '../scripts/lab/rig/until.ts'
import { PUBLIC_ONLY } from '../scripts/workerd/public-only.ts'
import { documentFixtures } from './workers/document-fixtures.ts'
import { oneModule } from './workers/one-module.ts'
import { skillFiles } from './workers/skill-scripts.ts'

const ROOT = new URL('..', import.meta.url).pathname

await buildRuntimes(ROOT, false, console.log)
await buildAssets(ROOT)

export default defineConfig({
  root: ROOT,
  plugins: [
    await oneModule(ROOT),
    cloudflareTest({
      main: './test/workers/main.ts',
      wrangler: { configPath: './wrangler.toml' },
      // Whatever a developer's .dev.vars contains, no test may reach a real model.
      miniflare: {
        bindings: {
          ANTHROPIC_API_KEY: '',
          ANTHROPIC_BASE_URL: '',
          MODEL: '',
          ADMIN_KEY: '',
          ID_SECRET: 'the-id-secret-of-the-workers-tests',
          ENCRYPTION_KEY: 'the-encryption-key-of-the-workers-tests',
        },
        // The runtimes of the sandbox, as the loader gets them.
        serviceBindings: {
          PUBLIC_NET: PUBLIC_ONLY,
          RUNTIMES: async (request: Request) =>
            readFile(join(ROOT, RUNTIMES, basename(new URL(request.url).pathname))).then(
              (bytes) => new Response(bytes),
              () => new Response(null, { status: 404 }),
            ),
        },
      },
    }),
  ],
  test: {
    include: ['test/workers/**/*.test.ts', 'test/fault/**/*.test.ts'],
    // One workerd for all files: starting one for each took longer than the tests.
    isolate: false,
    maxWorkers: 1,
    globalSetup: ['test/workers/net-server.ts'],
    setupFiles: ['test/workers/fresh.ts'],
    // Against hangs: the slowest test takes twenty seconds on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: UNTIL_MS } },
    provide: { documents: documentFixtures(ROOT), skillFiles: skillFiles(ROOT) },
  },
})
