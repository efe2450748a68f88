// A model API in a process of its own, so that it shares no event loop with who asks: how it is started, and what such a
// process says to the one that started it.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { ended } from './script.ts'

/** What it tells of itself when it is asked. */
export interface ApiState {
  /** Requests that came so far. */
  readonly asked: number
  /** US dollars that it bills for them; absent: it keeps no account. */
  readonly billedUsd?: number
  /** The body of the last request. */
  readonly last?: string
}

export interface ModelApi {
  readonly url: string
  told(): Promise<ApiState>
  stop(): Promise<void>
}

/** Rejects when its process ends before it listens. */
export async function startModelApi(program: URL, ...args: readonly string[]): Promise<ModelApi> {
  const child = fork(fileURLToPath(program), args, { stdio: 'inherit' })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { readonly url: string }) => resolve(message.url))
    child.once('exit', (status) => reject(new Error(`The model API ended with ${status}.`)))
  })
  return {
    url,
    told: async () => {
      child.send('told')
      // The cast: `serveParent` sends it.
      const [told] = (await once(child, 'message')) as [ApiState]
      return told
    },
    stop: () => ended(child, () => child.disconnect()),
  }
}

/** In the process of such an API: says where it listens, answers what it is asked, and ends with its parent. */
export function serveParent(url: string, told: () => ApiState): void {
  process.send?.({ url })
  process.on('message', () => process.send?.(told()))
  process.on('disconnect', () => process.exit(0))
}
