// Runs wrangler as a command: arguments as a list, never through a shell.

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Resolves with what wrangler printed; rejects with its complaint when it fails. */
export type RunWrangler = (args: readonly string[]) => Promise<string>

export function wranglerIn(root: string): RunWrangler {
  const home = dirname(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  const script = join(home, 'bin/wrangler.js')
  // A list of keys may be long.
  const options = { cwd: root, maxBuffer: Number.POSITIVE_INFINITY }
  return async (args) =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, [script, ...args], options, (error, out, complaint) => {
        const why = (complaint || out || error?.message || '').trim().slice(-600)
        if (error) reject(new Error(`wrangler ${args.slice(0, 3).join(' ')} failed: ${why}`))
        else resolve(out)
      }).stdin?.end()
    })
}
