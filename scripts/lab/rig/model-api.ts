// Starts a model API in its own process, so that it shares no event loop with its client. Also implements that
// process's end of the messages.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { ended } from './script.ts'

/** The state that the API process reports. */
export interface ApiState {
  /** Number of requests so far. */
  readonly requests: number
  /** US dollars billed for these requests. Absent if the API does not compute costs. */
  readonly billedUsd?: number
  /** The body of the last request. */
  readonly last?: string
}

export interface ModelApi {
  readonly url: string
  state(): Promise<ApiState>
  stop(): Promise<void>
}

/** Rejects if its process ends before it listens. */
export async function startModelApi(program: URL, ...args: readonly string[]): Promise<ModelApi> {
  const child = fork(fileURLToPath(program), args, { stdio: 'inherit' })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { readonly url: string }) => resolve(message.url))
    child.once('exit', (status) => reject(new Error(`The model API ended with ${status}.`)))
  })
  return {
    url,
    state: async () => {
      child.send('state')
      // The cast is safe: `serveParent` sends this message.
      const [state] = (await once(child, 'message')) as [ApiState]
      return state
    },
    stop: () => ended(child, () => child.disconnect()),
  }
}

/** Runs in the API process: reports its address, answers state queries, and exits when its parent does. */
export function serveParent(url: string, state: () => ApiState): void {
  process.send?.({ url })
  process.on('message', () => process.send?.(state()))
  process.on('disconnect', () => process.exit(0))
}
