// The JavaScript runtime: QuickJS from the pinned package with a step counter, an image of it with Node's modules
// loaded, and the child's code.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { bundleChild } from './bundle.ts'
import { makeNodeImage } from './node-image.ts'
import { nodeLibrary } from './node-library.ts'
import { NO_PACKAGES } from './no-packages.ts'
import { digestOf, digestOfFiles } from './store.ts'
import { addFuel } from './wasm-fuel.ts'
import { countingModule } from './wasm-malloc.ts'
import { exportTable, relayModule } from './wasm-table.ts'
import { NOW } from '../../src/sandbox/node/call/names.ts'

import type { Recipe } from './recipe.ts'

const WASM = 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'
/** The build whose names and structures src/sandbox/node/call/names.ts contains (0.32.0). */
const DIGEST = 'ed34a96f109bbf8486e2e5d5b41145a5fb36f4bf8d35f4e79e0b5bb0029b7d76'
const ENTRY = 'src/sandbox/node/main.ts'
const PRELUDE = 'src/sandbox/node/guest/main.ts'
const LOADED = ['./quickjs.wasm', './relay.wasm', './malloc.wasm', './image.bin', './packages.bin']
const OWN = [
  'scripts/runtimes',
  'scripts/runtimes/wasm',
  'src/sandbox/node',
  'src/sandbox/node/call',
  'src/sandbox/node/crypto',
  'src/sandbox/node/zlib',
  'src/sandbox/node/guest',
  'src/sandbox/node/guest/base',
  'src/sandbox/node/guest/crypto',
  'src/sandbox/node/guest/library',
  'src/sandbox/wasm',
  'src/sandbox',
]

export const node: Recipe = {
  name: 'node',
  main: 'node.js',
  // The lock file covers the packages that Node's modules consist of.
  inputs: (root) => digestOfFiles(root, OWN, ['src/limits/sandbox.ts', 'package-lock.json', WASM]),
  build: async (root, say) => {
    const original = new Uint8Array(readFileSync(join(root, WASM)))
    const digest = digestOf([['quickjs.wasm', original]])
    if (digest !== DIGEST)
      throw new Error(
        `QuickJS is not the pinned build (its digest is ${digest}): check src/sandbox/node/call/names.ts against the ` +
          'new build, then update the digest in scripts/runtimes/node.ts',
      )
    const fuelled = addFuel(original, { call: NOW })
    const wasm = new Uint8Array(exportTable(fuelled.bytes))
    const relay = new Uint8Array(relayModule())
    const malloc = new Uint8Array(countingModule())
    if (![wasm, relay, malloc].every((bytes) => WebAssembly.validate(bytes)))
      throw new Error('the rewritten QuickJS is not valid WebAssembly')
    say(`node: ${fuelled.loops} loops and ${fuelled.bulks} bulk copies are counted`)
    const prelude = await bundleChild(root, PRELUDE, [], 'prelude', {
      // Streams and scripts then use the same class.
      events: join(root, 'src/sandbox/node/guest/library/events.ts'),
    })
    const code = `${await nodeLibrary(root)}\n${new TextDecoder().decode(prelude.code)}`
    const image = makeNodeImage({ quickJs: wasm, relay, malloc }, code)
    say(`node: an image of ${(image.length / 1e6).toFixed(1)} MB`)
    const child = await bundleChild(root, ENTRY, [...LOADED, 'node:*'])
    return {
      'node.js': { type: 'js', bytes: child.code },
      'quickjs.wasm': { type: 'wasm', bytes: wasm },
      'relay.wasm': { type: 'wasm', bytes: relay },
      'malloc.wasm': { type: 'wasm', bytes: malloc },
      'image.bin': { type: 'data', bytes: image },
      'packages.bin': { type: 'data', bytes: NO_PACKAGES },
    }
  },
}
