// The server process's side of the Worker's binding RUNTIMES: builds the sandbox's runtimes while the server
// is up. Earlier calls wait. The next start serves them as static files.

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
   * Builds them in a separate process, because the build blocks for several seconds. `say`: a line of progress.
   * Never rejects.
   */
  build(say: (line: string) => void): void {
    const startedMs = performance.now()
    say('building the runtimes of the sandbox (once); commands wait for them')
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
            ? `runtimes of the sandbox built in ${seconds} s`
            : `the runtimes of the sandbox could not be built, so no command runs: ${errors.trim().split('\n')[0]}`,
        )
        resolve()
      })
    })
    this.#setBuilding(building)
  }

  /** Nothing needs to be built. */
  markBuilt(): void {
    this.#setBuilding(Promise.resolve())
  }

  /** A file of a runtime, by the last component of the path; 404 if there is none. */
  async fetch(request: { readonly url: string }): Promise<Response> {
    await this.#built
    try {
      return new Response(await readFile(join(this.#root, RUNTIMES, basename(new URL(request.url).pathname))))
    } catch {
      return new Response(null, { status: 404 })
    }
  }
}
