// Lists what a JavaScript or TypeScript file needs but the sandbox does not have: packages, Node modules that
// are only stubs, and the network. Static analysis that follows imports within the skill.

import { nativeAdvice } from '../../skills/check/native-packages.ts'
import {
  parentFolder,
  IMPORTS_MAX,
  MissingDependencies,
  NATIVE,
  NO_NETWORK,
  notInstalled,
  NO_PROGRAMS,
  normalPath,
  joinPath,
  type SkillScripts,
} from './missing-dependencies.ts'

/**
 * The Node modules that src/sandbox/node/guest/builtins.ts implements, completely or as far as scripts need
 * them.
 */
const SUPPORTED_MODULES = new Set(
  `assert async_hooks buffer console constants crypto diagnostics_channel events fs module os path perf_hooks process
querystring readline stream string_decoder timers tty url util zlib`.split(/\s+/),
)
/** Stub modules with the reason: importing a stub works, but each of its functions throws an error. */
const STUB_MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['child_process', 'cluster', 'worker_threads'].map((name) => [name, NO_PROGRAMS])),
  ...Object.fromEntries('dgram dns http http2 https net tls'.split(' ').map((name) => [name, NO_NETWORK])),
  ...Object.fromEntries(
    'inspector punycode repl sqlite v8 vm wasi'.split(' ').map((name) => [name, 'not available']),
  ),
}
/** The suffixes that src/sandbox/node/guest/resolve.ts tries for a required name. An import needs the exact name. */
const REQUIRE_SUFFIXES = ['', '.js', '.json', '.cjs', '.mjs', '.ts'].flatMap((suffix) => [
  suffix,
  `/index${suffix}`,
])

const STATIC_IMPORT =
  /^(?:import|export)[ \t]{1,20}(?!type\b)(?:[^'"();]{0,500}?\bfrom[ \t]{0,20})?['"]([^'"\n]+)['"]/gm
const REQUIRE_CALL = /^(.{0,500}?)\brequire\(['"]([^'"\n]+)['"]\)/gm
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"\n]+)['"]/g
const FETCH_CALL = /(?<![\w$.]|function )fetch\(/

interface NodeImport {
  readonly name: string
  /** Whether the import is executed when the script starts. */
  readonly isAtStart: boolean
  /** Whether it is a call of `require`, which also finds files without their extension. */
  readonly isRequired: boolean
}

export function missingInNode(
  path: string,
  skill: SkillScripts,
  visited: Set<string> = new Set(),
): MissingDependencies {
  const missing = new MissingDependencies()
  const text = skill.texts.get(path)
  if (text === undefined || visited.has(path)) return missing
  visited.add(path)
  // Ignore comments and template literals, because scripts often contain the source of other scripts.
  const code = stripBlockComments(text)
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/`(?:\\[\s\S]|[^`\\])*`/g, '``')
  const imports: readonly NodeImport[] = [
    ...[...code.matchAll(STATIC_IMPORT)].map(([, name = '']) => ({
      name,
      isAtStart: true,
      isRequired: false,
    })),
    ...[...code.matchAll(REQUIRE_CALL)].map(([, before = '', name = '']) => ({
      name,
      isAtStart: !/^\s|=>|\bfunction\b|\btry\b/.test(before),
      isRequired: true,
    })),
    ...[...code.matchAll(DYNAMIC_IMPORT)].map(([, name = '']) => ({
      name,
      isAtStart: false,
      isRequired: false,
    })),
  ]
  const uniqueImports = new Map(imports.toReversed().map((found) => [JSON.stringify(found), found]))
  for (const found of [...uniqueImports.values()].toReversed().slice(0, IMPORTS_MAX))
    checkImport(found, path, skill, visited, missing)
  if (FETCH_CALL.test(code)) missing.add('fetch', NO_NETWORK, /^\S.*\bawait fetch\(/m.test(code))
  return missing
}

/** Removes block comments in linear time. An unterminated comment is left in place. */
function stripBlockComments(text: string): string {
  let code = ''
  for (let offset = 0; ;) {
    const start = text.indexOf('/*', offset)
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2)
    if (end === -1) return code + text.slice(offset)
    code += text.slice(offset, start)
    offset = end + 2
  }
}

function checkImport(
  { name, isAtStart, isRequired }: NodeImport,
  path: string,
  skill: SkillScripts,
  visited: Set<string>,
  missing: MissingDependencies,
): void {
  if (name.startsWith('.')) {
    const base = normalPath(joinPath(parentFolder(path), name))
    if (base === null) return
    const suffixes = isRequired ? REQUIRE_SUFFIXES : ['']
    const file = suffixes.map((suffix) => base + suffix).find((candidate) => skill.paths.has(candidate))
    if (file !== undefined) missing.merge(missingInNode(file, skill, visited), isAtStart)
    else if (!isRequired || !skill.paths.has(`${base}/package.json`))
      missing.add(name, missingFileReason(base, skill), isAtStart)
    return
  }
  if (name.startsWith('/') || name.startsWith('file:')) return
  const [packageRoot = ''] = name.replace(/^node:/, '').split('/')
  if (SUPPORTED_MODULES.has(packageRoot)) return
  if (packageRoot === 'test' && name.startsWith('node:')) missing.add(name, 'not available', isAtStart)
  else if (Object.hasOwn(STUB_MODULES, packageRoot))
    missing.add(packageRoot, STUB_MODULES[packageRoot] ?? '', false)
  else if (name.startsWith('node:')) missing.add(name, 'not available', isAtStart)
  else if (!isVendored(name, path, skill)) {
    const packageName = name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/')
    if (skill.installed.node.includes(packageName)) return
    const native = nativeAdvice('node', packageName)
    const reason = native === null ? notInstalled(`npm:${packageName}`) : `${NATIVE}; ${native}`
    missing.add(name, reason, isAtStart)
  }
}

/** Explains why a file is not found. As in Node, `./x.js` does not refer to `./x.ts`, nor `./x` to `./x.js`. */
function missingFileReason(base: string, { paths }: SkillScripts): string {
  const candidates = [
    base.replace(/\.([cm]?)js$/, '.$1ts'),
    ...REQUIRE_SUFFIXES.map((suffix) => base + suffix),
  ]
  const intended = candidates.find((candidate) => paths.has(candidate))
  return intended === undefined
    ? 'no such file in the skill'
    : `no such file in the skill, only ${intended}; import it by its exact name`
}

function isVendored(name: string, path: string, { paths }: SkillScripts): boolean {
  const names = name.split('/')
  const folder = `node_modules/${names.slice(0, name.startsWith('@') ? 2 : 1).join('/')}/`
  const allPaths = [...paths]
  for (let ancestor = parentFolder(path); ; ancestor = parentFolder(ancestor)) {
    if (allPaths.some((candidate) => candidate.startsWith(joinPath(ancestor, folder)))) return true
    if (ancestor === '') return false
  }
}
