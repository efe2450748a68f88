// `npm run deploy`: all steps of a deployment, the first or a later one, after `npx wrangler login`.

import { performance } from 'node:perf_hooks'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { BUILD_DIGEST } from '../src/skills/build-digest.ts'
import { BUILD_CACHE, buildSkills, DIGEST_MODULE } from './build/build-skills.ts'
import { writeDigestModule } from './build/digest-module.ts'
import { addressFromFlag } from './deploy/address.ts'
import { deploy } from './deploy/deploy.ts'
import { terminalLineReader, terminalSecretReader } from './lib/ask.ts'
import { command } from './lib/command.ts'

const USAGE = `npm run deploy -- [options]

Deploys to Cloudflare. Before it, once: npx wrangler login.
It shows what it will make and send, asks, makes the stores that are missing, sends the skills, then the Worker, and waits until
that answers. Run it again for every change: it sends only what is new.

  --dry-run      show what would be sent; needs no login and no network
  --yes          ask nothing. ANTHROPIC_API_KEY then comes from the environment, or the demo model answers
  --env NAME     another deployment beside this one, with stores and secrets of its own (staging)
  --skills DIR   one more folder of skills beside skills/ (repeatable)
  --all          send all skills and the Worker again, whatever is there
  --url URL      where it is reached, when wrangler.toml has routes that do not say it
  --help         this text

Secrets that the Worker lacks are made at random (ADMIN_KEY, ID_SECRET, ENCRYPTION_KEY) or asked for (ANTHROPIC_API_KEY), unless
the environment has them. With several accounts: CLOUDFLARE_ACCOUNT_ID. In CI: CLOUDFLARE_API_TOKEN and --yes.
Status 1: it stopped, and says what is live. Status 2: wrong arguments.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))

command(
  USAGE,
  {
    options: {
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      env: { type: 'string' },
      skills: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  },
  async ({ values: flags }) => {
    const url = flags.url === undefined ? null : addressFromFlag(flags.url)
    if (flags.url !== undefined && url === null)
      return `--url ${flags.url} is no address: write it like https://chat.example.com`
    await deploy(
      { env: flags.env ?? null, dryRun: flags['dry-run'], yes: flags.yes, all: flags.all, url },
      {
        root: ROOT,
        environment: process.env,
        ask: terminalLineReader(),
        askSecret: terminalSecretReader(),
        say: (line) => console.log(line),
        fetch,
        now: () => performance.now(),
        wait: (ms) => sleep(ms),
        async buildSkills() {
          const lines: string[] = []
          const { build, failed } = await buildSkills({
            dirs: [join(ROOT, 'skills'), ...flags.skills],
            cacheFile: BUILD_CACHE,
            strict: false,
            log: (line) => lines.push(line),
          })
          if (failed) for (const line of lines) console.log(line)
          return failed ? null : build
        },
        compiledDigest: BUILD_DIGEST,
        writeDigest: async (digest) => writeDigestModule(digest, DIGEST_MODULE),
      },
    )
    return 0
  },
)
