// A copy of this project that a test may deploy from. What a deployment writes (dist/, the digest of its build) stays
// in the copy.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { ACCOUNT, TOKEN, type CloudflareApi } from '../fakes/cloudflare-api.ts'
import { finished, ROOT, temporary } from './satchel.ts'

export interface Project {
  readonly root: string
  /** Runs `npm run deploy -- ARGS` in the copy, against the fake API, with its token. */
  deploy(args: readonly string[], env?: Environment): ReturnType<typeof finished>
  /** Runs any script of the copy. */
  run(script: string, args: readonly string[], env?: Environment): ReturnType<typeof finished>
  remove(): void
}

type Environment = Readonly<Record<string, string | undefined>>

const WHAT = [
  'src',
  'scripts',
  'skills',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  // Reuses existing builds.
  'dist/runtimes',
  'dist/assets',
  'dist/assets-stamp.json',
]

/** Environment for the fake `api`, with the token that all fakes accept. */
export function askingApi(api: CloudflareApi): Environment {
  return {
    CLOUDFLARE_API_BASE_URL: `${api.url}/client/v4`,
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  }
}

/** Environment without a reachable network and without a login. */
export const OFFLINE: Environment = {
  CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
  CLOUDFLARE_API_TOKEN: undefined,
  CLOUDFLARE_ACCOUNT_ID: undefined,
}

export function copyProject(api: CloudflareApi): Project {
  const root = temporary()
  for (const name of WHAT.filter((each) => existsSync(join(ROOT, each))))
    cpSync(join(ROOT, name), join(root, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const run: Project['run'] = async (script, args, env = {}) =>
    finished(
      spawn(process.execPath, [join(root, script), ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        // From this machine's environment, only the program path: no login, no key, no proxy.
        env: {
          PATH: process.env['PATH'],
          HOME: join(root, 'home'),
          XDG_CONFIG_HOME: join(root, 'home'),
          // A deployment starts wrangler four times, and compiling it took a quarter of the time.
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          WRANGLER_SEND_METRICS: 'false',
          ...askingApi(api),
          ...env,
        },
      }),
    )
  return {
    root,
    run,
    deploy: async (args, env) => {
      const worker = args.includes('--env') ? `satchel-${args[args.indexOf('--env') + 1]}` : 'satchel'
      return run('scripts/deploy.ts', [...args, '--url', `${api.url}/${worker}`], env)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
