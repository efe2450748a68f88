// The quotas of a thread's files: what a workspace allows, and the errors for what does not fit.

import { fail, ok, type Result } from '../lib/result.ts'

export interface FileQuotas {
  /** Files of one thread. */
  readonly max_files: number
  readonly max_file_bytes: number
  /** Bytes of all files of one thread. */
  readonly max_thread_bytes: number
}

export interface Totals {
  readonly files: number
  readonly bytes: number
}

/** Failure `storage_full`, or `too_large` for a single file. `after`: the thread's totals after the change. */
export function fits(quotas: FileQuotas, largest: number, after: Totals): Result<null> {
  if (largest > quotas.max_file_bytes)
    return fail('too_large', `A file may have ${quotas.max_file_bytes} bytes; this one has ${largest}.`)
  if (after.files > quotas.max_files)
    return fail('storage_full', `This thread may keep ${quotas.max_files} files. Delete some first.`)
  if (after.bytes > quotas.max_thread_bytes)
    return fail(
      'storage_full',
      `The files of this thread may have ${quotas.max_thread_bytes} bytes in total; with this change they would have ${after.bytes}. Delete some first.`,
    )
  return ok(null)
}
