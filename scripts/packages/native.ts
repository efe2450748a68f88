// Messages about packages with native code, and the few packages whose native code only makes them faster.

import { nativeAdvice } from '../../src/skills/check/native-packages.ts'

/** Packages that also work without their native files, which are left out. They have no pure wheel. */
const OPTIONAL_PARTS = new Set(['markupsafe', 'pyyaml'])

export function hasOptionalParts(name: string): boolean {
  return OPTIONAL_PARTS.has(name)
}

/** Explains that a package is native, how that was detected, and what to use instead. */
export function nativeMessage(language: 'python' | 'node', name: string, reason: string): string {
  const instead = nativeAdvice(language, name) ?? 'use the standard library or another package'
  return `${name} is native: ${reason}. Scripts run in WebAssembly, which cannot load it; ${instead}, or give the agent an HTTP tool that does this work.`
}
