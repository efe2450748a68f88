// The Python runtime: CPython from the pinned package with a step counter, its standard library, its image, and the
// child's code.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { bundleChild } from './bundle.ts'
import { BOOT, makeImage } from './python-image.ts'
import { LIBRARY, namedStdlib } from './python-stdlib.ts'
import { NO_PACKAGES } from './no-packages.ts'
import { compiledPath, compilePython } from './compile-python.ts'
import { SQLITE_FILE, sqliteModule, sqliteRelayModule } from './sqlite.ts'
import { digestOf, digestOfFiles } from './store.ts'
import { withLinuxErrors } from './wasm-errno.ts'
import { addFuel } from './wasm-fuel.ts'

import type { Recipe } from './recipe.ts'

const PACKAGE = 'node_modules/just-bash'
const VENDOR = `${PACKAGE}/vendor/cpython-emscripten`
/** The release whose calls and structures src/sandbox/python/ contains, and the digests of its files. */
const RELEASE = '3.4.2'
const DIGESTS = {
  'python.wasm': '39e172b7b19b410265517c9d73b9dfb8cc32edb47166e80fbdf84e3a8da2a0f3',
  'python313.zip': '0f34bc062e8c35bbd219cc34648412dec43b5d3dd469debf37b211eb849a3d34',
}
/** Called when the counter is empty: an import through which CPython itself polls for signals. */
const HELPER = '_Py_CheckEmscriptenSignals_Helper'
const ENTRY = 'src/sandbox/python/main.ts'
/** CPython's module _sqlite3, written in Python. */
const SQLITE_PACKAGE = `${BOOT}/_sqlite3`
/** Modules of CPython that the build in WebAssembly lacks, written in Python. */
const LIBRARY_MODULES = `${BOOT}/library`
const LOADED = [
  './python.wasm',
  './sqlite.wasm',
  './relay.wasm',
  './stdlib.zip',
  './image.bin',
  './packages.bin',
]
const OWN = [
  'scripts/runtimes',
  'scripts/runtimes/wasm',
  'src/sandbox/wasm',
  'src/sandbox/python',
  'src/sandbox/python/sqlite',
  'src/sandbox/sqlite',
  BOOT,
  SQLITE_PACKAGE,
  LIBRARY_MODULES,
  'src/sandbox',
]
const BESIDE = [
  SQLITE_FILE,
  // Commands that bash has and lacks: Python reports them for programs that a script starts.
  'src/sandbox/bash/absent.ts',
  'src/sandbox/bash/command-names.ts',
  'src/limits/sandbox.ts',
  `${VENDOR}/python.wasm`,
  `${VENDOR}/python313.zip`,
]

export const python: Recipe = {
  name: 'python',
  main: 'python.js',
  inputs: (root) => digestOfFiles(root, OWN, BESIDE),
  build: async (root, say) => {
    const wasm = vendored(root, 'python.wasm')
    const fuelled = addFuel(withLinuxErrors(wasm), { call: HELPER })
    const counted = new Uint8Array(fuelled.bytes)
    if (!WebAssembly.validate(counted)) throw new Error('the rewritten python.wasm is not valid WebAssembly')
    if (fuelled.tableWrites > 0)
      throw new Error('python.wasm changes its function table, which restoring memory alone does not reset')
    say(`python: ${fuelled.loops} loops and ${fuelled.bulks} bulk copies are counted`)
    const stdlib = withOwnModules(root, counted)
    const image = makeImage(root, counted, stdlib)
    say(`python: an image of ${(image.length / 1e6).toFixed(1)} MB`)
    const { code } = await bundleChild(root, ENTRY, LOADED)
    return {
      'python.js': { type: 'js', bytes: code },
      'python.wasm': { type: 'wasm', bytes: counted },
      'sqlite.wasm': { type: 'wasm', bytes: sqliteModule(root) },
      'relay.wasm': { type: 'wasm', bytes: sqliteRelayModule() },
      'stdlib.zip': { type: 'data', bytes: stdlib },
      'image.bin': { type: 'data', bytes: image },
      'packages.bin': { type: 'data', bytes: NO_PACKAGES },
    }
  },
}

/** The standard library with the modules that are written in Python here, compiled. */
function withOwnModules(root: string, wasm: Uint8Array<ArrayBuffer>): Uint8Array {
  const zip = vendored(root, 'python313.zip')
  const read = (folder: string, prefix: string): [string, Uint8Array][] =>
    readdirSync(join(root, folder)).map((name) => [
      `${prefix}${name}`,
      new Uint8Array(readFileSync(join(root, folder, name))),
    ])
  const sources = new Map([...read(SQLITE_PACKAGE, '_sqlite3/'), ...read(LIBRARY_MODULES, '')])
  const compiled = compilePython(sources, wasm, namedStdlib(zip), LIBRARY)
  if (!compiled.ok) throw new Error(`${compiled.error.path} cannot be compiled: ${compiled.error.reason}`)
  const added = [...sources.keys()].map((path): [string, Uint8Array] => {
    const bytes = compiled.value.get(compiledPath(path))
    if (!bytes) throw new Error(`${path} cannot be compiled`)
    return [path.replace(/\.py$/, '.pyc'), bytes]
  })
  return namedStdlib(zip, new Map(added))
}

/** Reads a file of the package and verifies its digest. */
function vendored(root: string, name: keyof typeof DIGESTS): Uint8Array {
  // The cast is safe: npm wrote this file.
  const { version } = JSON.parse(readFileSync(join(root, PACKAGE, 'package.json'), 'utf8')) as {
    version: string
  }
  const bytes = new Uint8Array(readFileSync(join(root, VENDOR, name)))
  const digest = digestOf([[name, bytes]])
  if (version === RELEASE && digest === DIGESTS[name]) return bytes
  throw new Error(
    `${name} of just-bash ${version} is not the pinned build of ${RELEASE} (its digest is ${digest}): check src/sandbox/python/ ` +
      'against the new build, then update the digests in scripts/runtimes/python.ts',
  )
}
