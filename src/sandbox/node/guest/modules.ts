// Loads modules, and determines their type. Serves imports of QuickJS and `require` calls of scripts.

import { path } from './library/path.ts'
import { transform } from 'sucrase'

import { builtin, builtinNames } from './builtins.ts'
import { coded } from './base/errors.ts'
import { readFileSync } from './fs.ts'
import { tried } from './base/host.ts'
import { asFile, asFolder, nearestType, resolveImport, resolveRequire } from './resolve.ts'
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
const TYPESCRIPT = /\.[mc]?ts$/
/** Syntax that only an ES module may contain. Node checks for it when a script does not parse. */
const MODULE_SYNTAX = /\b(?:import|export|await)\b/
let main: Module | undefined

/** The text of a script without its `#!` line and its types. */
function textOf(file: string): string {
  const text = String(readFileSync(file, 'utf8'))
    .replace(/^\ufeff/, '')
    .replace(/^#!/, '//')
  return TYPESCRIPT.test(file) ? strip(text, file) : text
}

/** Converts TypeScript to JavaScript: removes types, and keeps line numbers. */
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
    throw coded(
      new SyntaxError(`${file}: ${(error as Error).message.replace(/^Error transforming [^:]*: /, '')}`),
      'ERR_INVALID_TYPESCRIPT_SYNTAX',
    )
  }
}

/** Compiles a script as a function body, and returns the function. */
function compile(text: string, file: string): (...args: readonly unknown[]) => unknown {
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`
  // The cast is safe: the text above evaluates to a function.
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
  const made = {
    id: parent ? filename : '.',
    filename,
    path: path.dirname(filename),
    exports: {},
    loaded: false,
    children: [],
    paths: [],
    parent,
  }
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
    else if (isModule(file))
      throw coded(
        new Error(`require() of ES Module ${file} is not supported here. Use import() instead`),
        'ERR_REQUIRE_ESM',
      )
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

/** The source that QuickJS compiles for a resolved name. Throws if it cannot be loaded. */
export function moduleText(file: string): string {
  if (file.startsWith('node:'))
    return shim(
      `globalThis[Symbol.for('satchel.builtin')](${JSON.stringify(file.slice(5))})`,
      builtin(file.slice(5)),
    )
  if (file.endsWith('.json'))
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(parseJson(file)))})`
  if (!isModule(file)) {
    const text = textOf(file)
    if (!cache[file] && !/\.c[jt]s$/.test(file) && MODULE_SYNTAX.test(text) && !parses(text, file))
      return prepared(text, file)
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

/** The source of a module that exports the keys of `exports`. `source` is the expression for its value. */
function shim(source: string, exports: unknown): string {
  const object =
    (typeof exports === 'object' && exports !== null) || typeof exports === 'function' ? exports : {}
  const names = [...new Set(Object.getOwnPropertyNames(object).concat(protoNames(object)))].filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name),
  )
  const named = names.map((name) => `const $${name}=m[${JSON.stringify(name)}];export {$${name} as ${name}};`)
  return `const m=${source};export default m;${named.join('')}`
}

const RESERVED = new Set(['default', 'arguments', 'caller', 'length', 'name', 'prototype'])

/** The methods of an instance, such as `process`, including inherited ones. */
function protoNames(object: object): string[] {
  if (typeof object === 'function') return []
  const proto: unknown = Object.getPrototypeOf(object)
  return typeof proto === 'object' && proto !== null && proto !== Object.prototype
    ? Object.getOwnPropertyNames(proto).filter((name) => name !== 'constructor')
    : []
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

/** The module node:module. */
export const moduleModule = {
  createRequire: (from: string | URL) =>
    createModule(String(from).startsWith('file:') ? fileURLToPath(String(from)) : String(from), main ?? null)
      .require,
  builtinModules: builtinNames,
  isBuiltin: (name: string) => builtinNames.includes(name.replace(/^node:/, '')),
  stripTypeScriptTypes: (text: string) => strip(text, 'input.ts'),
}

/** Runs the main script at `typed`. Returns a promise if it is an ES module. */
export function runMain(typed: string): Promise<unknown> | null {
  const wanted = path.resolve(typed)
  const file = asFile(wanted) ?? asFolder(wanted)
  if (file === null) {
    throw Object.assign(new Error(`Cannot find module '${wanted}'`), {
      code: 'MODULE_NOT_FOUND',
      requireStack: [],
    })
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

/** Runs text that does not come from a file. */
export function runText(
  text: string,
  name: string,
  type: string,
): { value: unknown; pending: Promise<unknown> | null } {
  const module = createModule(path.resolve(name), null)
  module.id = name
  const globals = {
    require: module.require,
    module,
    exports: module.exports,
    __filename: name,
    __dirname: '.',
  }
  for (const [key, value] of Object.entries(globals))
    Object.defineProperty(globalThis, key, { value, writable: true, configurable: true, enumerable: false })
  const asModule =
    type.startsWith('module') || (type === '' && MODULE_SYNTAX.test(text) && !parses(text, name))
  if (!asModule)
    return {
      value: tried('compile', type.includes('typescript') ? strip(text, name) : text, name),
      pending: null,
    }
  inline.set(module.filename, type.includes('typescript') ? strip(text, name) : text)
  return { value: undefined, pending: importMain(module.filename) }
}

/** Modules given as text, by the name used in imports. */
export const inline = new Map<string, string>()
export const inlineText = (file: string): string => prepared(inline.get(file) ?? '', file)
