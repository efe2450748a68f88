// `npm run deploy`: performs all steps of a first or later deployment, after `npx wrangler login`.

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

Deploys to Cloudflare. Run npx wrangler login once before the first deployment.
Shows what it will create and upload, and asks for confirmation. Then creates missing stores, uploads the skills and the Worker,
and waits until the Worker responds. Run it again after every change: it uploads only what is new.

  --dry-run      show what would be uploaded; needs no login and no network
  --yes          ask no questions; uses ANTHROPIC_API_KEY from the environment, or else the demo model
  --env NAME     a separate deployment with its own stores and secrets, such as staging
  --skills DIR   another folder of skills, in addition to skills/ (repeatable)
  --all          upload all skills and the Worker, even if they are already there
  --url URL      the address of the Worker, if it does not follow from the routes in wrangler.toml
  --help         show this text

Missing secrets are taken from the environment; otherwise ADMIN_KEY, ID_SECRET and ENCRYPTION_KEY are generated at random, and you
are asked for ANTHROPIC_API_KEY. If you have several accounts, set CLOUDFLARE_ACCOUNT_ID. In CI, set CLOUDFLARE_API_TOKEN and use
--yes. Exit status: 0 deployed; 1 stopped, with a message that says what is live; 2 wrong arguments.`

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
      return `--url ${flags.url} is not a valid address. Write it like https://chat.example.com`
    await deploy(
      {
        env: flags.env ?? null,
        dryRun: flags['dry-run'],
        yes: flags.yes,
        all: flags.all,
        url,
        skills: flags.skills,
      },
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
