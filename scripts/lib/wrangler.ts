// Runs wrangler as a separate process, without a shell. Secrets are passed only through standard input.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'

import { WRANGLER_OUTPUT_MAX_CHARS } from './limits.ts'

interface WranglerCall {
  /** Wrangler's standard input. If absent, it is empty, so that wrangler asks no questions. */
  readonly input?: string
  /** Environment variables for this call only. */
  readonly env?: Readonly<Record<string, string>>
  /** Receives each line of wrangler's output. */
  readonly onLine?: (line: string) => void
}

/** Resolves with wrangler's output; rejects with a WranglerError if it fails. */
export type RunWrangler = (args: readonly string[], call?: WranglerCall) => Promise<string>

export class WranglerError extends Error {
  /** Wrangler's complete output. */
  readonly output: string
  /** Cloudflare's error codes, or none if wrangler itself failed. */
  readonly codes: readonly number[]

  constructor(args: readonly string[], output: string) {
    super(`wrangler ${args.slice(0, 3).join(' ')} failed: ${errorMessageOf(output)}`)
    this.output = output
    this.codes = [...output.matchAll(/\[code: (\d+)\]/g)].map(([, code]) => Number(code))
  }
}

/** Returns a function that runs the wrangler of `root` in that folder, with the variables `env`. */
export function wranglerIn(root: string, env: Readonly<Record<string, string>> = {}): RunWrangler {
  const packageFolder = dirname(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  const script = join(packageFolder, 'bin/wrangler.js')
  return async (args, call = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: root,
        env: {
          ...process.env,
          NO_COLOR: '1',
          FORCE_COLOR: '0',
          // For the banner, wrangler would ask a registry for updates.
          WRANGLER_HIDE_BANNER: 'true',
          ...env,
          ...call.env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let out = ''
      let errorOutput = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (errorOutput += text))
      if (call.onLine) createInterface({ input: child.stdout }).on('line', call.onLine)
      child.once('error', reject)
      child.once('close', (status) => {
        if (status === 0) resolve(out)
        else reject(new WranglerError(args, stripVTControlCharacters(`${out}\n${errorOutput}`)))
      })
      child.stdin.on('error', () => {}) // If it ended without reading its input, its status says why.
      child.stdin.end(call.input ?? '')
    })
}

/** The text after the last `[ERROR]` in wrangler's output, without general hints. */
function errorMessageOf(output: string): string {
  const from = output.lastIndexOf('[ERROR]')
  const lines = (from === -1 ? output : output.slice(from + '[ERROR]'.length))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^If you think this is a bug|Logs were written to/.test(line))
  return lines.join('\n').slice(-WRANGLER_OUTPUT_MAX_CHARS)
}
