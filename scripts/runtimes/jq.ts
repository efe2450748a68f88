// The WebAssembly module of jq for the shell: the pinned package's, with a step counter.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { digestOf } from './store.ts'
import { addFuel } from './wasm-fuel.ts'

/** The file of the release whose minified imports src/sandbox/commands/jq/ contains. */
export const JQ_FILE = 'node_modules/jq-wasm/dist/build/jq.wasm'
const DIGEST = '2af7e79a46eb24f2f52c213c785a88eb191cb3467e803a4b6c6d584022411a6b'
/** `emscripten_date_now`, called when the counter is empty. */
const HELPER = 'g'

/** Throws if the package's file is another. */
export function jqModule(root: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(join(root, JQ_FILE)))
  const digest = digestOf([['jq.wasm', bytes]])
  if (digest !== DIGEST)
    throw new Error(
      `${JQ_FILE} is not the pinned build of jq-wasm 3.0.0-jq-1.8.2 (its digest is ${digest}): check the imports in ` +
        'src/sandbox/commands/jq/ against the new build, then update the digest in scripts/runtimes/jq.ts',
    )
  const fuelled = addFuel(bytes, { call: HELPER })
  const counted = new Uint8Array(fuelled.bytes)
  if (!WebAssembly.validate(counted)) throw new Error('the rewritten jq.wasm is not valid WebAssembly')
  if (fuelled.tableWrites > 0 || fuelled.mutableGlobals > 1)
    throw new Error('jq.wasm has state outside its memory, so an instance cannot be reused')
  return counted
}
