// One server for all test files that only send requests: it starts before the first file and ends after the last. A
// test that kills, starts or needs a fresh server starts its own.

import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

import { clientOf, startSatchel, type Satchel } from './satchel.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedUrl: string
  }
}

/** Called by vitest before all files; the returned function is called after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const satchel = await startSatchel()
  project.provide('sharedUrl', satchel.url)
  return () => satchel.stop()
}

/** The server also has skills and threads of other files, so each file uses names of its own. */
export function sharedSatchel(): Pick<Satchel, 'url' | 'client'> {
  const url = inject('sharedUrl')
  return { url, client: clientOf(url) }
}
