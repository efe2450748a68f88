// Checks the quotas that a workspace sets for the files of each thread.

import { fail, ok, type Result } from '../lib/result.ts'

export interface FileQuotas {
  /** Maximum number of files in one thread. */
  readonly max_files: number
  readonly max_file_bytes: number
  /** Maximum total size of all files in one thread. */
  readonly max_thread_bytes: number
}

export interface FileTotals {
  readonly files: number
  readonly bytes: number
}

/**
 * Checks the size of the largest changed file, and the totals of the thread after the change. Failures: `too_large` for the file,
 * `storage_full` for the totals.
 */
export function checkQuotas(quotas: FileQuotas, largestBytes: number, totals: FileTotals): Result<null> {
  if (largestBytes > quotas.max_file_bytes)
    return fail(
      'too_large',
      `This file has ${largestBytes} bytes; the limit for a file is ${quotas.max_file_bytes}. Send a smaller file.`,
    )
  if (totals.files > quotas.max_files)
    return fail(
      'storage_full',
      `This thread may have at most ${quotas.max_files} files. Delete some of them first.`,
    )
  if (totals.bytes > quotas.max_thread_bytes)
    return fail(
      'storage_full',
      `The files of this thread may have at most ${quotas.max_thread_bytes} bytes in total, and would have ${totals.bytes} after this change. Delete some of them first.`,
    )
  return ok(null)
}
