// What the sandbox uses of the loader of isolates, and what a child in one answers. Types alone.

import type { GuestResult } from './guest.ts'
import type { ChildCode } from './runtimes.ts'

/** What came of the job, or that another has it. `spent`: the child takes no more jobs from now on. */
export type JobResult = (GuestResult | { readonly busy: true }) & { readonly spent?: boolean }

export interface Loader {
  get(id: string, code: () => Promise<ChildCode>): Child
  load(code: ChildCode): Child
}
export interface Child {
  getEntrypoint(): object
}
