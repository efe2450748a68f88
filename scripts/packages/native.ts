// What to say about packages with compiled parts, and the few whose compiled parts only make them faster.

import { nativeAdvice } from '../../src/skills/check/native-packages.ts'

/** Packages that also work without their compiled files, which are left out. They have no pure wheel. */
const OPTIONAL_PARTS = new Set(['markupsafe', 'pyyaml'])

export function hasOptionalParts(name: string): boolean {
  return OPTIONAL_PARTS.has(name)
}

/** That a package is native, why we think so, and what to use instead. */
export function nativeMessage(language: 'python' | 'node', name: string, reason: string): string {
  const instead = nativeAdvice(language, name) ?? 'use the standard library or another package'
  return `${name} is native: ${reason}. Scripts run in WebAssembly, which cannot load it; ${instead}, or give the agent an HTTP tool that does this work.`
}
