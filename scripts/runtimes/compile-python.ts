// Compiles the modules of Python packages with the sandbox's own CPython, in Node. Nothing in them is executed.

import { Machine } from '../../src/sandbox/python/machine.ts'
import { Exit } from '../../src/sandbox/wasm/stop.ts'
import { interpreterProcess } from './python-image.ts'

/** The folder below which packages are imported, which is in the compiled code. */
export const SITE_PACKAGES = '/lib/python3.13/site-packages'
const compiler = (folder: string): string => `
import _imp, importlib._bootstrap_external as external, os, warnings
warnings.simplefilter('ignore')
os.makedirs('/tmp/compiled')
with open('/boot/paths', encoding='utf-8') as file:
    paths = file.read().split('\\n')
for number, path in enumerate(paths):
    with open(f'/boot/sources/{number}', 'rb') as file:
        source = file.read()
    try:
        code = compile(source, f'${folder}/{path}', 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        continue
    compiled = external._code_to_hash_pyc(code, _imp.source_hash(external._RAW_MAGIC_NUMBER, source), False)
    with open(f'/tmp/compiled/{number}', 'wb') as file:
        file.write(compiled)
`

/**
 * The compiled files by path, as Python looks for them. A file that is not valid in this release has none. Throws if
 * the interpreter fails.
 */
export function compilePython(
  sources: ReadonlyMap<string, Uint8Array>,
  wasm: Uint8Array<ArrayBuffer>,
  stdlib: Uint8Array,
  folder = SITE_PACKAGES,
): ReadonlyMap<string, Uint8Array> {
  const paths = [...sources.keys()].filter((path) => path.endsWith('.py')).toSorted()
  if (paths.length === 0) return new Map()
  const machine = new Machine(new WebAssembly.Module(wasm), false)
  const process = interpreterProcess(machine, stdlib)
  process.tree.put('/boot/paths', { bytes: new TextEncoder().encode(paths.join('\n')) })
  for (const [number, path] of paths.entries())
    process.tree.put(`/boot/sources/${number}`, { bytes: sources.get(path) ?? new Uint8Array(0) })
  machine.attach(process)
  let status = 1
  try {
    machine.start(['python3', '-X', 'utf8', '-c', compiler(folder)])
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    status = error.code
  }
  if (status !== 0)
    throw new Error(
      `The packages could not be compiled:\n${new TextDecoder().decode(process.output.written.stderr)}`,
    )
  const compiled = new Map<string, Uint8Array>()
  for (const [number, path] of paths.entries()) {
    const node = process.tree.find(process.tree.root, `/tmp/compiled/${number}`)
    if (typeof node === 'number' || node.kind !== 'file' || !node.bytes) continue
    compiled.set(compiledPath(path), node.bytes.slice(0, node.size))
  }
  return compiled
}

/** Where Python looks for the compiled form of a module. */
export function compiledPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return `${path.slice(0, slash + 1)}__pycache__/${path.slice(slash + 1, -3)}.cpython-313.pyc`
}
