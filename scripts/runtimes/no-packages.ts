// The index of a deployment without packages, with which each runtime is built. The Worker replaces it.

import type { PackageIndex } from '../../src/sandbox/wasm/packages.ts'

const EMPTY: PackageIndex = { packs: [] }
export const NO_PACKAGES: Uint8Array<ArrayBuffer> = new TextEncoder().encode(JSON.stringify(EMPTY))
