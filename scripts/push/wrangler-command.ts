// Runs wrangler as a command: arguments as a list, never through a shell.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Resolves with what wrangler printed; rejects with its complaint when it fails. */
export type RunWrangler = (args: readonly string[]) => Promise<string>

export function wranglerIn(root: string): RunWrangler {
  const home = dirname(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  const script = join(home, 'bin/wrangler.js')
  return async (args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let out = ''
      let complaint = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint += chunk))
      child.once('error', reject)
      child.once('close', (status) => {
        if (status === 0) resolve(out)
        else
          reject(
            new Error(
              `wrangler ${args.slice(0, 3).join(' ')} failed: ${(complaint || out).trim().slice(-600)}`,
            ),
          )
      })
    })
}
