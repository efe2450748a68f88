// Modules: where a name leads, what a file is, and loading it. QuickJS asks for imports, scripts for what they require.

import path from 'path-browserify'
import { transform } from 'sucrase'

import { builtin, builtinNames } from './builtins.ts'
import { coded } from './errors.ts'
import { existsSync, readFileSync, statSync } from './fs.ts'
import { tried } from './host.ts'
import { fileURLToPath, pathToFileURL } from './url.ts'

export interface Module {
  id: string
  filename: string
  path: string
  exports: unknown
  loaded: boolean
  children: Module[]
  paths: string[]
  parent: Module | null
  require: Require
}

interface Require {
  (name: string): unknown
  resolve: (name: string) => string
  cache: Record<string, Module>
  main: Module | undefined
  extensions: object
}

const cache: Record<string, Module> = {}
const EXTENSIONS = ['.js', '.json', '.cjs', '.mjs', '.ts']
const TYPESCRIPT = /\.[mc]?ts$/
/** Text that only a module can hold: what Node looks for when a script does not parse. */
const MODULE_SYNTAX = /^\s*(?:import\s*(?:[\w{*$'"]|\.meta)|export\s+(?:[{*]|default|const|let|var|function|class|async)|.*\bawait\b)|\bimport\.meta\b/m
let main: Module | undefined

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
}

/** What a folder's package.json says; null where there is none. */
function packageAt(folder: string): Record<string, unknown> | null {
  const file = path.join(folder, 'package.json')
  if (!isFile(file)) return null
  try {
    const read: unknown = JSON.parse(String(readFileSync(file, 'utf8')))
    // The cast: anything with keys will do.
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null
  } catch (error) {
    throw coded(new Error(`Invalid package config ${file}. ${(error as Error).message}`), 'ERR_INVALID_PACKAGE_CONFIG')
  }
}

function nearestType(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = packageAt(folder)
    if (found) return String(found['type'] ?? '')
    if (folder === '/' || path.basename(folder) === 'node_modules') return ''
  }
}

/** `exports` of a package for `subpath`, by the conditions that hold here. */
function exported(exports: unknown, subpath: string, conditions: readonly string[]): string | null {
  if (typeof exports === 'string') return subpath === '.' ? exports : null
  if (Array.isArray(exports)) return exports.map((one) => exported(one, subpath, conditions)).find((one) => one !== null) ?? null
  if (typeof exports !== 'object' || exports === null) return null
  const entries = Object.entries(exports)
  if (!entries.some(([key]) => key.startsWith('.'))) {
    const [, found] = entries.find(([key]) => key === 'default' || conditions.includes(key)) ?? []
    return exported(found, subpath, conditions)
  }
  for (const [key, target] of entries) {
    if (key === subpath) return exported(target, '.', conditions)
    const [before = '', after = ''] = key.split('*')
    if (key.includes('*') && subpath.startsWith(before) && subpath.endsWith(after)) {
      const middle = subpath.slice(before.length, subpath.length - after.length)
      return exported(target, '.', conditions)?.replaceAll('*', middle) ?? null
    }
  }
  return null
}

function asFile(name: string): string | null {
  return [name, ...EXTENSIONS.map((extension) => name + extension)].find(isFile) ?? null
}

function asFolder(name: string): string | null {
  const entry = packageAt(name)?.['main']
  const named = typeof entry === 'string' ? (asFile(path.join(name, entry)) ?? asFile(path.join(name, entry, 'index'))) : null
  return named ?? asFile(path.join(name, 'index'))
}

/** A package in a folder node_modules beside or above `from`. */
function asPackage(name: string, from: string, conditions: readonly string[]): string | null {
  const parts = name.split('/')
  const own = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/')
  const rest = name.slice(own.length)
  for (let folder = from; ; folder = path.dirname(folder)) {
    const at = path.join(folder, 'node_modules', own)
    const { exports } = packageAt(at) ?? {}
    if (exports !== undefined) {
      const target = exported(exports, `.${rest}`, conditions)
      if (target !== null) return path.join(at, target)
    }
    const found = existsSync(at) ? (asFile(at + rest) ?? asFolder(at + rest)) : null
    if (found !== null) return found
    if (folder === '/') return null
  }
}

function missing(name: string, parent: string, esm: boolean): Error {
  const bare = !/^[./]/.test(name)
  const packageName = name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/')
  const help = bare
    ? ` There is no npm here: use ${near(packageName)}, plain JavaScript, or a file that lies beside the script.`
    : ''
  const words = !esm
    ? `Cannot find module '${name}'\nRequire stack:\n- ${parent}`
    : bare
      ? `Cannot find package '${packageName}' imported from ${parent}.`
      : `Cannot find module '${name}' imported from ${parent}`
  return coded(new Error(words + (esm || !bare ? help : `\n${help.trim()}`)), esm ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND')
}

const INSTEAD: Readonly<Record<string, string>> = {
  axios: 'the tool web_fetch (no network here)', 'node-fetch': 'the tool web_fetch (no network here)', lodash: "the language's own methods",
  chalk: 'util.styleText', yargs: 'util.parseArgs', commander: 'util.parseArgs', minimist: 'util.parseArgs', glob: 'fs.readdirSync with recursive',
  'fs-extra': 'node:fs', mkdirp: 'fs.mkdirSync with recursive', rimraf: 'fs.rmSync with recursive', uuid: 'crypto.randomUUID', dotenv: 'process.env',
  'csv-parse': 'python3 with its module csv', papaparse: 'python3 with its module csv', moment: 'Date and Intl', dayjs: 'Date and Intl',
  'date-fns': 'Date and Intl', typescript: 'the file as it is: its types are left out', 'ts-node': 'node file.ts', tsx: 'node file.ts',
}

function near(name: string): string {
  return Object.hasOwn(INSTEAD, name) ? (INSTEAD[name] ?? '') : "Node's own modules"
}

function builtinName(name: string): string | null {
  const bare = name.startsWith('node:') ? name.slice(5) : name
  if (builtinNames.includes(bare) && (name.startsWith('node:') || !['test', 'sqlite'].includes(bare))) return `node:${bare}`
  if (!name.startsWith('node:')) return null
  throw coded(new Error(`No such built-in module: ${name}`), 'ERR_UNKNOWN_BUILTIN_MODULE')
}

function resolveRequire(name: string, parent: string): string {
  const known = builtinName(name)
  if (known !== null) return known
  const from = path.dirname(parent)
  const found = /^(?:\.{0,2}\/|\.{1,2}$)/.test(name)
    ? (asFile(path.resolve(from, name)) ?? asFolder(path.resolve(from, name)))
    : asPackage(name, from, ['node', 'require', 'node-addons', 'module-sync'])
  if (found !== null) return found
  throw missing(name, parent, false)
}

/** What an `import` of `name` in the module `base` means. Throws. */
export function resolveImport(base: string, name: string): string {
  if (/^(?:data|https?|cloudflare|workerd|blob):/.test(name)) {
    const words = `Only URLs with a scheme in: file and node are supported here. Received protocol '${name.split(':')[0]}:'`
    throw coded(new Error(words), 'ERR_UNSUPPORTED_ESM_URL_SCHEME')
  }
  const known = builtinName(name)
  if (known !== null) return known
  const whole = name.startsWith('file:') ? fileURLToPath(name) : name
  if (/^\.{0,2}\//.test(whole)) {
    const file = path.resolve(path.dirname(base), decodeURIComponent(whole.replace(/[?#].*$/, '')))
    if (isFile(file)) return file
    if (existsSync(file)) {
      const words = `Directory import '${file}' is not supported resolving ES modules imported from ${base}`
      throw coded(new Error(words), 'ERR_UNSUPPORTED_DIR_IMPORT')
    }
    throw missing(file, base, true)
  }
  const found = asPackage(name, path.dirname(base), ['node', 'import', 'node-addons', 'module-sync'])
  if (found !== null) return found
  throw missing(name, base, true)
}

/** The text of a script without its first line's `#!` and its types. */
function textOf(file: string): string {
  const text = String(readFileSync(file, 'utf8')).replace(/^\ufeff/, '').replace(/^#!/, '//')
  return TYPESCRIPT.test(file) ? strip(text, file) : text
}

/** JavaScript of TypeScript: types are left out, lines stay where they are. */
export function strip(text: string, file: string): string {
  try {
    const { code } = transform(text, {
      transforms: ['typescript'],
      disableESTransforms: true,
      keepUnusedImports: false,
      filePath: file,
    })
    return code
  } catch (error) {
    throw coded(new SyntaxError(`${file}: ${(error as Error).message.replace(/^Error transforming [^:]*: /, '')}`), 'ERR_INVALID_TYPESCRIPT_SYNTAX')
  }
}

/** Compiles a script as the body of a function and gives that. */
function compile(text: string, file: string): (...args: readonly unknown[]) => unknown {
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`
  // The cast: what the text above is.
  return tried('compile', wrapped, file) as unknown as (...args: readonly unknown[]) => unknown
}

function requireFor(parent: Module): Require {
  const require = (name: string): unknown => {
    if (typeof name !== 'string')
      throw coded(new TypeError('The "id" argument must be of type string.'), 'ERR_INVALID_ARG_TYPE')
    return loadFile(resolveRequire(name, parent.filename), parent)
  }
  return Object.assign(require, {
    resolve: (name: string) => resolveRequire(name, parent.filename).replace(/^node:/, ''),
    cache,
    main,
    extensions: {},
  })
}

export function createModule(filename: string, parent: Module | null): Module {
  const made = { id: parent ? filename : '.', filename, path: path.dirname(filename), exports: {}, loaded: false, children: [], paths: [], parent }
  const module = made as unknown as Module
  if (!parent && !main) main = module
  module.require = requireFor(module)
  Object.defineProperty(module, 'require', { enumerable: false })
  return module
}

function loadFile(file: string, parent: Module | null): unknown {
  if (file.startsWith('node:')) return builtin(file.slice(5))
  const there = cache[file]
  if (there) return there.exports
  const module = createModule(file, parent)
  cache[file] = module
  parent?.children.push(module)
  try {
    if (file.endsWith('.json')) module.exports = parseJson(file)
    else if (isModule(file)) throw coded(new Error(`require() of ES Module ${file} is not supported here. Use import() instead`), 'ERR_REQUIRE_ESM')
    else runScript(module, textOf(file))
  } catch (error) {
    delete cache[file]
    throw error
  }
  module.loaded = true
  return module.exports
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(String(readFileSync(file, 'utf8')).replace(/^\ufeff/, ''))
  } catch (error) {
    throw Object.assign(error as Error, { message: `${file}: ${(error as Error).message}` })
  }
}

function runScript(module: Module, text: string): void {
  const run = compile(text, module.filename)
  run.call(module.exports, module.exports, module.require, module, module.filename, module.path)
}

function isModule(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true
  return /\.c[jt]s$/.test(file) ? false : nearestType(file) === 'module'
}

function prepared(text: string, file: string): string {
  if (!text.includes('import.meta')) return text
  const url = JSON.stringify(String(pathToFileURL(file)))
  const [filename, dirname] = [JSON.stringify(file), JSON.stringify(path.dirname(file))]
  const meta = `Object.assign(import.meta,{dirname:${dirname},filename:${filename},url:${url},resolve:(n)=>globalThis[Symbol.for('satchel.resolve')](${filename},n)});`
  return meta + text
}

/** What QuickJS compiles for the module of this resolved name. Throws. */
export function moduleText(file: string): string {
  if (file.startsWith('node:')) return shim(`globalThis[Symbol.for('satchel.builtin')](${JSON.stringify(file.slice(5))})`, builtin(file.slice(5)))
  if (file.endsWith('.json')) return `export default JSON.parse(${JSON.stringify(JSON.stringify(parseJson(file)))})`
  if (!isModule(file)) {
    const text = textOf(file)
    if (!cache[file] && !/\.c[jt]s$/.test(file) && MODULE_SYNTAX.test(text) && !parses(text, file)) return prepared(text, file)
    const exports = loadFile(file, main ?? null)
    return shim(`globalThis[Symbol.for('satchel.required')](${JSON.stringify(file)})`, exports)
  }
  return prepared(textOf(file), file)
}

function parses(text: string, file: string): boolean {
  try {
    compile(text, file)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** A module with the keys of `exports`, which `source` gives. */
function shim(source: string, exports: unknown): string {
  const object = (typeof exports === 'object' && exports !== null) || typeof exports === 'function' ? exports : {}
  const names = [...new Set(Object.getOwnPropertyNames(object).concat(protoNames(object)))].filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name),
  )
  const named = names.map((name) => `const $${name}=m[${JSON.stringify(name)}];export {$${name} as ${name}};`)
  return `const m=${source};export default m;${named.join('')}`
}

const RESERVED = new Set(['default', 'arguments', 'caller', 'length', 'name', 'prototype'])

/** Methods of an object that is an instance, as `process` is. */
function protoNames(object: object): string[] {
  if (typeof object === 'function') return []
  const proto: unknown = Object.getPrototypeOf(object)
  return typeof proto === 'object' && proto !== null && proto !== Object.prototype ? Object.getOwnPropertyNames(proto).filter((name) => name !== 'constructor') : []
}

export function installModules(): void {
  const hidden = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, Symbol.for(name), { value })
  }
  hidden('satchel.builtin', builtin)
  hidden('satchel.required', (file: string) => cache[file]?.exports)
  hidden('satchel.resolve', (base: string, name: string) => {
    const found = resolveImport(base, name)
    return found.startsWith('node:') ? found : String(pathToFileURL(found))
  })
}

/** node:module. */
export const moduleModule = {
  createRequire: (from: string | URL) => createModule(/^file:/.test(String(from)) ? fileURLToPath(String(from)) : String(from), main ?? null).require,
  builtinModules: builtinNames,
  isBuiltin: (name: string) => builtinNames.includes(name.replace(/^node:/, '')),
  stripTypeScriptTypes: (text: string) => strip(text, 'input.ts'),
}

/** Runs the main script at `typed`. A promise where it is a module. */
export function runMain(typed: string): Promise<unknown> | null {
  const wanted = path.resolve(typed)
  const file = asFile(wanted) ?? asFolder(wanted)
  if (file === null) {
    throw coded(new Error(`Cannot find module '${wanted}'`), 'MODULE_NOT_FOUND')
  }
  process.argv[1] = file
  if (isModule(file)) return importMain(file)
  const text = textOf(file)
  const ambiguous = !/\.c[jt]s$/.test(file) && nearestType(file) === ''
  if (ambiguous && MODULE_SYNTAX.test(text) && !parses(text, file)) return importMain(file)
  loadFile(file, null)
  return null
}

export async function importMain(file: string): Promise<unknown> {
  return import(file)
}

/** Runs text that lies in no file. */
export function runText(text: string, name: string, type: string): { value: unknown; pending: Promise<unknown> | null } {
  const module = createModule(path.resolve(name), null)
  module.id = name
  const globals = { require: module.require, module, exports: module.exports, __filename: name, __dirname: '.' }
  for (const [key, value] of Object.entries(globals)) Object.defineProperty(globalThis, key, { value, writable: true, configurable: true, enumerable: false })
  const asModule = type.startsWith('module') || (type === '' && MODULE_SYNTAX.test(text) && !parses(text, name))
  if (!asModule) return { value: tried('compile', type.includes('typescript') ? strip(text, name) : text, name), pending: null }
  inline.set(module.filename, type.includes('typescript') ? strip(text, name) : text)
  return { value: undefined, pending: importMain(module.filename) }
}

/** Modules that were typed, by the name they import from. */
export const inline = new Map<string, string>()
export const inlineText = (file: string): string => prepared(inline.get(file) ?? '', file)
