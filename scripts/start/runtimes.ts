// Implements the Worker's binding RUNTIMES: builds the sandbox's runtimes while the server is already up, and makes
// requests for them wait. The next start serves them as static files.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { RUNTIMES } from '../runtimes/store.ts'

export class LocalRuntimes {
  readonly #root: string
  readonly #built: Promise<void>
  #setBuilding: (building: Promise<void>) => void = () => {}

  constructor(root: string) {
    this.#root = root
    this.#built = new Promise((resolve) => (this.#setBuilding = resolve))
  }

  /**
   * Builds the runtimes in a separate process, because the build blocks for several seconds. `say` prints a line of
   * progress. Never throws.
   */
  build(say: (line: string) => void): void {
    const startedMs = performance.now()
    say('building the sandbox runtimes (only once); commands wait until they are ready')
    const building = new Promise<void>((resolve) => {
      const child = spawn(process.execPath, [join(this.#root, 'scripts/runtimes/build.ts')], {
        cwd: this.#root,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      child.once('error', (error) => (errors += error.message))
      child.once('close', (status) => {
        const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
        say(
          status === 0
            ? `sandbox runtimes built in ${seconds} s`
            : `The sandbox runtimes could not be built, so no command can run: ${errors.trim().split('\n')[0]}`,
        )
        resolve()
      })
    })
    this.#setBuilding(building)
  }

  /** Records that the runtimes exist, so that nothing needs to be built. */
  markBuilt(): void {
    this.#setBuilding(Promise.resolve())
  }

  /** Responds with the runtime's file that the last component of the path names, or with 404. */
  async fetch(request: { readonly url: string }): Promise<Response> {
    await this.#built
    try {
      return new Response(await readFile(join(this.#root, RUNTIMES, basename(new URL(request.url).pathname))))
    } catch {
      return new Response(null, { status: 404 })
    }
  }
}
