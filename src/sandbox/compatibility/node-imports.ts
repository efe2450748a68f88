// Lists what a JavaScript or TypeScript file needs but the sandbox does not have: packages, Node modules that
// are only stubs, and the network. Static analysis that follows imports within the skill.

import {
  parentFolder,
  IMPORTS_MAX,
  MissingDependencies,
  NO_NETWORK,
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
const NO_PACKAGES = 'no packages are installed, but JavaScript files next to the script can be imported'
const RESOLVE_SUFFIXES = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.ts']

const STATIC_IMPORT =
  /^(?:import|export)[ \t]{1,20}(?!type\b)(?:[^'"();]{0,500}?\bfrom[ \t]{0,20})?['"]([^'"\n]+)['"]/gm
const REQUIRE_CALL = /^(.{0,500}?)\brequire\(['"]([^'"\n]+)['"]\)/gm
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"\n]+)['"]/g
const FETCH_CALL = /(?<![\w$.]|function )fetch\(/

export function missingInNode(
  path: string,
  skill: SkillScripts,
  visited: Set<string> = new Set(),
): MissingDependencies {
  const missing = new MissingDependencies()
  const text = skill.texts.get(path)
  if (text === undefined || visited.has(path)) return missing
  visited.add(path)
  // Comments and template literals are ignored: scripts often contain the source of other scripts.
  const code = stripBlockComments(text)
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/`(?:\\[\s\S]|[^`\\])*`/g, '``')
  const imports = [
    ...[...code.matchAll(STATIC_IMPORT)].map(([, name = '']) => [name, true] as const),
    ...[...code.matchAll(REQUIRE_CALL)].map(
      ([, before = '', name = '']) => [name, !/^\s|=>|\bfunction\b|\btry\b/.test(before)] as const,
    ),
    ...[...code.matchAll(DYNAMIC_IMPORT)].map(([, name = '']) => [name, false] as const),
  ]
  const uniqueImports = new Map(imports.toReversed().map((one) => [one.join(' '), one]))
  for (const [name, isAtStart] of [...uniqueImports.values()].toReversed().slice(0, IMPORTS_MAX))
    checkImport(name, isAtStart, path, skill, visited, missing)
  if (FETCH_CALL.test(code)) missing.add('fetch', NO_NETWORK, /^\S.*\bawait fetch\(/m.test(code))
  return missing
}

/** Removes block comments in linear time. An unterminated comment is left in place. */
function stripBlockComments(text: string): string {
  let code = ''
  for (let at = 0; ;) {
    const from = text.indexOf('/*', at)
    const to = from === -1 ? -1 : text.indexOf('*/', from + 2)
    if (to === -1) return code + text.slice(at)
    code += text.slice(at, from)
    at = to + 2
  }
}

function checkImport(
  name: string,
  isAtStart: boolean,
  path: string,
  skill: SkillScripts,
  visited: Set<string>,
  missing: MissingDependencies,
): void {
  if (name.startsWith('.')) {
    const base = normalPath(joinPath(parentFolder(path), name))
    const file =
      base === null
        ? undefined
        : RESOLVE_SUFFIXES.map((ending) => base + ending).find((one) => skill.paths.has(one))
    if (file !== undefined) missing.merge(missingInNode(file, skill, visited), isAtStart)
    else if (base !== null && !hasTypeScriptSource(base, skill))
      missing.add(name, 'no such file in the skill', isAtStart)
    return
  }
  if (name.startsWith('/') || name.startsWith('file:')) return
  const [packageRoot = ''] = name.replace(/^node:/, '').split('/')
  if (SUPPORTED_MODULES.has(packageRoot)) return
  if (packageRoot === 'test' && name.startsWith('node:')) missing.add(name, 'not available', isAtStart)
  else if (Object.hasOwn(STUB_MODULES, packageRoot))
    missing.add(packageRoot, STUB_MODULES[packageRoot] ?? '', false)
  else if (name.startsWith('node:')) missing.add(name, 'not available', isAtStart)
  else if (!isVendored(name, path, skill)) missing.add(name, NO_PACKAGES, isAtStart)
}

/** Whether the import is the compiled form of a TypeScript file: './x.js' may refer to './x.ts'. */
function hasTypeScriptSource(base: string, { paths }: SkillScripts): boolean {
  return paths.has(base.replace(/\.([cm]?)js$/, '.$1ts'))
}

function isVendored(name: string, path: string, { paths }: SkillScripts): boolean {
  const names = name.split('/')
  const folder = `node_modules/${names.slice(0, name.startsWith('@') ? 2 : 1).join('/')}/`
  const all = [...paths]
  for (let at = parentFolder(path); ; at = parentFolder(at)) {
    if (all.some((one) => one.startsWith(joinPath(at, folder)))) return true
    if (at === '') return false
  }
}
