// What to say about packages with compiled parts, and the few whose compiled parts only make them faster.

import { alternativeTo } from '../../src/sandbox/python-alternatives.ts'

/** Modules whose name differs from the package's. */
const MODULES: Readonly<Record<string, string>> = {
  pillow: 'PIL',
  'opencv-python': 'cv2',
  'scikit-learn': 'sklearn',
  pymupdf: 'fitz',
}
/** Packages that also work without their compiled files, which are left out. They have no pure wheel. */
const OPTIONAL_PARTS = new Set(['markupsafe', 'pyyaml'])

export function hasOptionalParts(name: string): boolean {
  return OPTIONAL_PARTS.has(name)
}

/** That a package is native, why we think so, and what to use instead. */
export function nativeMessage(language: 'python' | 'node', name: string, reason: string): string {
  const alternative = language === 'python' ? alternativeTo(MODULES[name] ?? name) : null
  const instead = alternative ?? 'use the standard library or another package'
  return `${name} is native: ${reason}. Scripts run in WebAssembly, which cannot load it; ${instead}, or give the agent an HTTP tool that does this work.`
}
