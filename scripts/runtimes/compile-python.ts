// Compiles the modules of Python packages with the sandbox's own CPython, in Node. Nothing in them is executed.

import { Machine } from '../../src/sandbox/python/machine.ts'
import { Exit, Killed } from '../../src/sandbox/wasm/stop.ts'
import { ok } from '../../src/lib/result.ts'
import { ALL_PACKAGES_COMPILE_MAX_STEPS } from '../packages/limits.ts'
import { interpreterProcess, limitCalls, MARKED_CALLS_MAX } from './python-image.ts'

import type { Process } from '../../src/sandbox/python/process.ts'
import type { Result } from '../../src/lib/result.ts'

/** The folder below which packages are imported, which is in the compiled code. */
export const SITE_PACKAGES = '/lib/python3.13/site-packages'
const CURRENT = '/tmp/current'
// The call of clock_getres lets the host lower the limit of nested C calls, which the marked recursion limit helps to find.
const compiler = (folder: string): string => `
import _imp, importlib._bootstrap_external as external, os, sys, time, warnings
sys.setrecursionlimit(${MARKED_CALLS_MAX})
time.clock_getres(time.CLOCK_MONOTONIC)
warnings.simplefilter('ignore')
os.makedirs('/tmp/compiled')
with open('/boot/paths', encoding='utf-8') as file:
    paths = file.read().split('\\n')
for number, path in enumerate(paths):
    with open('${CURRENT}', 'w', encoding='utf-8') as file:
        file.write(path)
    with open(f'/boot/sources/{number}', 'rb') as file:
        source = file.read()
    try:
        code = compile(source, f'${folder}/{path}', 'exec', dont_inherit=True)
    except Exception:
        continue
    compiled = external._code_to_hash_pyc(code, _imp.source_hash(external._RAW_MAGIC_NUMBER, source), False)
    with open(f'/tmp/compiled/{number}', 'wb') as file:
        file.write(compiled)
`

/** The file at which the compiler ended, if it had begun with one, and why. */
export interface CompileFailure {
  readonly path: string | null
  readonly reason: string
}

/**
 * The compiled files by path, as Python looks for them. A file that is not valid in this release has none. Fails if a file
 * ends the interpreter.
 */
export function compilePython(
  sources: ReadonlyMap<string, Uint8Array>,
  wasm: Uint8Array<ArrayBuffer>,
  stdlib: Uint8Array,
  folder = SITE_PACKAGES,
): Result<ReadonlyMap<string, Uint8Array>, CompileFailure> {
  const paths = [...sources.keys()].filter((path) => path.endsWith('.py')).toSorted()
  const compiled = new Map<string, Uint8Array>()
  if (paths.length === 0) return ok(compiled)
  const machine: Machine = new Machine(new WebAssembly.Module(wasm), false, () => limitCalls(machine.memory))
  const process = interpreterProcess(machine, stdlib, ALL_PACKAGES_COMPILE_MAX_STEPS)
  // The interpreter cannot be suspended here, so the meter must not wait.
  process.meter.hostFrames = 1
  process.tree.put('/boot/paths', { bytes: new TextEncoder().encode(paths.join('\n')) })
  for (const [number, path] of paths.entries())
    process.tree.put(`/boot/sources/${number}`, { bytes: sources.get(path) ?? new Uint8Array(0) })
  machine.attach(process)
  const reason = endOf(machine, process, compiler(folder))
  if (reason !== null) {
    const path = written(process, CURRENT)
    return { ok: false, error: { path: path ? new TextDecoder().decode(path) : null, reason } }
  }
  for (const [number, path] of paths.entries()) {
    const bytes = written(process, `/tmp/compiled/${number}`)
    if (bytes) compiled.set(compiledPath(path), bytes)
  }
  return ok(compiled)
}

/** Runs the program to its end. Returns why it failed, or null. */
function endOf(machine: Machine, process: Process, program: string): string | null {
  try {
    machine.start(['python3', '-X', 'utf8', '-c', program])
  } catch (error) {
    if (error instanceof Killed) return 'compiling it takes too long'
    // Of the engine: its stack is exceeded, or the interpreter has failed.
    if (!(error instanceof Exit)) return String(error)
    return error.code === 0 ? null : new TextDecoder().decode(process.output.written.stderr)
  }
  return null
}

function written(process: Process, path: string): Uint8Array | null {
  const node = process.tree.find(process.tree.root, path)
  if (typeof node === 'number' || node.kind !== 'file' || !node.bytes) return null
  return node.bytes.slice(0, node.size)
}

/** Where Python looks for the compiled form of a module. */
export function compiledPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return `${path.slice(0, slash + 1)}__pycache__/${path.slice(slash + 1, -3)}.cpython-313.pyc`
}
