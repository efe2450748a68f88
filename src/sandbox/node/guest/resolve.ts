// Resolves module names as Node does. The errors for missing modules name alternatives.

import { path } from './library/path.ts'

import { builtinNames } from './builtins.ts'
import { coded } from './base/errors.ts'
import { existsSync, readFileSync, statSync } from './fs.ts'
import { fileURLToPath } from './url.ts'

const EXTENSIONS = ['.js', '.json', '.cjs', '.mjs', '.ts']

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
}

/** A folder's package.json; null if there is none. */
function packageAt(folder: string): Record<string, unknown> | null {
  const file = path.join(folder, 'package.json')
  if (!isFile(file)) return null
  try {
    const read: unknown = JSON.parse(String(readFileSync(file, 'utf8')))
    // The cast is safe: any object is accepted.
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null
  } catch (error) {
    throw coded(
      new Error(`Invalid package config ${file}. ${(error as Error).message}`),
      'ERR_INVALID_PACKAGE_CONFIG',
    )
  }
}

export function nearestType(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = packageAt(folder)
    if (found) return String(found['type'] ?? '')
    if (folder === '/' || path.basename(folder) === 'node_modules') return ''
  }
}

/** The target of `subpath` in a package's `exports`, for the given conditions. */
function exported(exports: unknown, subpath: string, conditions: readonly string[]): string | null {
  if (typeof exports === 'string') return subpath === '.' ? exports : null
  if (Array.isArray(exports))
    return exports.map((one) => exported(one, subpath, conditions)).find((one) => one !== null) ?? null
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

export function asFile(name: string): string | null {
  return [name, ...EXTENSIONS.map((extension) => name + extension)].find(isFile) ?? null
}

export function asFolder(name: string): string | null {
  const entry = packageAt(name)?.['main']
  const named =
    typeof entry === 'string'
      ? (asFile(path.join(name, entry)) ?? asFile(path.join(name, entry, 'index')))
      : null
  return named ?? asFile(path.join(name, 'index'))
}

/** Finds a package in a node_modules folder in or above the folder of `from`. */
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
  const packageName = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
  const help = bare
    ? NATIVE.has(packageName)
      ? ` It is native and cannot run here: use ${near(packageName)} or plain JavaScript.`
      : ` The operator of this deployment can add it: npm run packages -- add npm:${packageName}. Otherwise use ${near(packageName)}, plain JavaScript, or a file next to the script.`
    : ''
  const message = !esm
    ? `Cannot find module '${name}'\nRequire stack:\n- ${parent}`
    : bare
      ? `Cannot find package '${packageName}' imported from ${parent}.`
      : `Cannot find module '${name}' imported from ${parent}`
  if (esm) return coded(new Error(message + help), 'ERR_MODULE_NOT_FOUND')
  return Object.assign(new Error(bare ? `${message}\n${help.trim()}` : message), {
    code: 'MODULE_NOT_FOUND',
    requireStack: [parent],
  })
}

/** Packages with native code. */
const NATIVE = new Set('sharp canvas better-sqlite3 sqlite3 bcrypt esbuild puppeteer playwright'.split(' '))
const ALTERNATIVES: Readonly<Record<string, string>> = {
  axios: 'another tool that has network access, if you have one (there is no network here)',
  'node-fetch': 'another tool that has network access, if you have one (there is no network here)',
  lodash: 'built-in methods of JavaScript',
  chalk: 'util.styleText',
  yargs: 'util.parseArgs',
  commander: 'util.parseArgs',
  minimist: 'util.parseArgs',
  glob: 'fs.readdirSync with recursive',
  'fs-extra': 'node:fs',
  mkdirp: 'fs.mkdirSync with recursive',
  rimraf: 'fs.rmSync with recursive',
  uuid: 'crypto.randomUUID',
  dotenv: 'process.env',
  'csv-parse': 'python3 with its module csv',
  papaparse: 'python3 with its module csv',
  moment: 'Date and Intl',
  dayjs: 'Date and Intl',
  'date-fns': 'Date and Intl',
  typescript: 'the file as it is: its types are removed',
  'ts-node': 'node file.ts',
  tsx: 'node file.ts',
}

function near(name: string): string {
  return Object.hasOwn(ALTERNATIVES, name) ? (ALTERNATIVES[name] ?? '') : "Node's own modules"
}

function builtinName(name: string): string | null {
  const bare = name.startsWith('node:') ? name.slice(5) : name
  if (builtinNames.includes(bare) && (name.startsWith('node:') || !['test', 'sqlite'].includes(bare)))
    return `node:${bare}`
  if (!name.startsWith('node:')) return null
  throw coded(new Error(`No such built-in module: ${name}`), 'ERR_UNKNOWN_BUILTIN_MODULE')
}

export function resolveRequire(name: string, parent: string): string {
  const known = builtinName(name)
  if (known !== null) return known
  const from = path.dirname(parent)
  const found = /^(?:\.{0,2}\/|\.{1,2}$)/.test(name)
    ? (asFile(path.resolve(from, name)) ?? asFolder(path.resolve(from, name)))
    : asPackage(name, from, ['node', 'require', 'node-addons', 'module-sync'])
  if (found !== null) return found
  throw missing(name, parent, false)
}

/** Resolves an `import` of `name` in the module `base`. Throws if it is not found. */
export function resolveImport(base: string, name: string): string {
  if (/^(?:data|https?|cloudflare|workerd|blob):/.test(name)) {
    const message = `Only URLs with a scheme in: file and node are supported here. Received protocol '${name.split(':')[0]}:'`
    throw coded(new Error(message), 'ERR_UNSUPPORTED_ESM_URL_SCHEME')
  }
  const known = builtinName(name)
  if (known !== null) return known
  const whole = name.startsWith('file:') ? fileURLToPath(name) : name
  if (/^\.{0,2}\//.test(whole)) {
    const file = path.resolve(path.dirname(base), decodeURIComponent(whole.replace(/[?#].*$/, '')))
    if (isFile(file)) return file
    if (existsSync(file)) {
      const message = `Directory import '${file}' is not supported resolving ES modules imported from ${base}`
      throw coded(new Error(message), 'ERR_UNSUPPORTED_DIR_IMPORT')
    }
    throw missing(file, base, true)
  }
  const found = asPackage(name, path.dirname(base), ['node', 'import', 'node-addons', 'module-sync'])
  if (found !== null) return found
  throw missing(name, base, true)
}
