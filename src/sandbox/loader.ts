// What the sandbox uses of the loader of isolates, and what a child returns. Types only.

import type { GuestResult } from './guest.ts'
import type { ChildCode } from './runtimes.ts'

/** The result of a job, or `busy` if another job runs. `spent`: the child takes no more jobs. */
export type JobResult = (GuestResult | { readonly busy: true }) & { readonly spent?: boolean }

export interface Loader {
  get(id: string, code: () => Promise<ChildCode>): Child
  load(code: ChildCode): Child
}
export interface Child {
  getEntrypoint(): object
}
