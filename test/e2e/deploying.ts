// A copy of this project that a test may deploy from: what a deployment writes (dist/, the digest of its build) stays in it.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
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
]

/** `api` null: there is no network that answers. */
export function copyProject(api: CloudflareApi | null): Project {
  const root = temporary()
  for (const name of WHAT) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  // The runtimes take half a minute; whoever has them here need not make them again.
  mkdirSync(join(root, 'dist'))
  const runtimes = join(ROOT, 'dist/runtimes')
  if (existsSync(runtimes)) cpSync(runtimes, join(root, 'dist/runtimes'), { recursive: true })
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
          WRANGLER_SEND_METRICS: 'false',
          CLOUDFLARE_API_BASE_URL: api ? `${api.url}/client/v4` : 'http://127.0.0.1:9/client/v4',
          ...(api && { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_ACCOUNT_ID: ACCOUNT }),
          ...env,
        },
      }),
    )
  return {
    root,
    run,
    deploy: async (args, env) => {
      const worker = args.includes('--env') ? `satchel-${args[args.indexOf('--env') + 1]}` : 'satchel'
      const url = api ? ['--url', `${api.url}/${worker}`] : []
      return run('scripts/deploy.ts', [...args, ...url], env)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
