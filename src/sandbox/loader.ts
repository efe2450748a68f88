// Types for the part of the isolate loader that the sandbox uses, and for the result of an isolate.

import type { GuestResult } from './guest.ts'
import type { ChildCode } from './runtimes.ts'

/**
 * The result of a job, or `busy` if another job is running. `spent` means that the isolate accepts no more
 * jobs.
 */
export type JobResult = (GuestResult | { readonly busy: true }) & { readonly spent?: boolean }

export interface Loader {
  get(id: string, code: () => Promise<ChildCode>): Child
  load(code: ChildCode): Child
}
export interface Child {
  getEntrypoint(): object
}
