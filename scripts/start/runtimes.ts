// The server process's end of the Worker's binding RUNTIMES: the sandbox's runtimes, made beside a server that is up already.
// A call that comes earlier waits. Once they are made, the next start has them among its static files.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { RUNTIMES } from '../runtimes/store.ts'

export class LocalRuntimes {
  readonly #root: string
  readonly #made: Promise<void>
  #begin: (making: Promise<void>) => void = () => {}

  constructor(root: string) {
    this.#root = root
    this.#made = new Promise((resolve) => (this.#begin = resolve))
  }

  /** Makes them in a process of its own, for it computes for seconds. `say`: a line of progress. Never rejects. */
  make(say: (line: string) => void): void {
    const began = performance.now()
    say('building the runtimes of the sandbox (once); commands wait for them')
    const making = new Promise<void>((resolve) => {
      const child = spawn(process.execPath, [join(this.#root, 'scripts/runtimes/build.ts')], {
        cwd: this.#root,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let words = ''
      child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
      child.once('error', (error) => (words += error.message))
      child.once('close', (status) => {
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        say(
          status === 0
            ? `runtimes of the sandbox built in ${seconds} s`
            : `the runtimes of the sandbox could not be built, so no command runs: ${words.trim().split('\n')[0]}`,
        )
        resolve()
      })
    })
    this.#begin(making)
  }

  /** Nothing is to be made. */
  there(): void {
    this.#begin(Promise.resolve())
  }

  /** A file of a runtime, by the last name of the path; 404 where there is none. */
  async fetch(request: { readonly url: string }): Promise<Response> {
    await this.#made
    try {
      return new Response(await readFile(join(this.#root, RUNTIMES, basename(new URL(request.url).pathname))))
    } catch {
      return new Response(null, { status: 404 })
    }
  }
}
