// The reason why a package cannot be added or built, with a stable code for scripts and tests.

import type { Result } from '../../src/lib/result.ts'

export type PackageProblemCode =
  | 'index_missing'
  | 'index_unavailable'
  | 'package_unknown'
  | 'package_native'
  | 'package_yanked'
  | 'package_conflict'
  | 'package_changed'
  | 'package_unsafe'
  | 'package_too_large'
  | 'requirement_invalid'
  | 'lock_invalid'

export interface PackageProblem {
  readonly code: PackageProblemCode
  /** What is wrong, where, and how to fix it. */
  readonly message: string
}

export type PackageResult<T> = Result<T, PackageProblem>

/** A failed result. */
export function problem(
  code: PackageProblemCode,
  message: string,
): { readonly ok: false; readonly error: PackageProblem } {
  return { ok: false, error: { code, message } }
}
