// A copy of this project that a test may deploy from. What a deployment writes (dist/, the digest of its build) stays
// in the copy.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { ACCOUNT, TOKEN, type CloudflareApi } from '../fakes/cloudflare-api.ts'
import { finished, ROOT, temporary } from './satchel.ts'

export interface Project {
  readonly root: string
  /** `npm run deploy -- ARGS` in it, against the stand-in, with its token. */
  deploy(args: readonly string[], env?: Environment): ReturnType<typeof finished>
  /** Any script of it. */
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
  // What is built already need not be built again.
  'dist/runtimes',
  'dist/assets',
  'dist/assets-stamp.json',
]

/** Asks the stand-in `api` instead, with the token that all of them take. */
export function askingApi(api: CloudflareApi): Environment {
  return {
    CLOUDFLARE_API_BASE_URL: `${api.url}/client/v4`,
    CLOUDFLARE_API_TOKEN: TOKEN,
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  }
}

/** There is no network that answers, and no login. */
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
        // Of this machine's environment nothing but where programs lie: no login, no key, no proxy.
        env: {
          PATH: process.env['PATH'],
          HOME: join(root, 'home'),
          XDG_CONFIG_HOME: join(root, 'home'),
          // A deployment starts wrangler sixteen times; compiling it was a quarter of that.
          NODE_COMPILE_CACHE: join(root, 'home/compiled'),
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
