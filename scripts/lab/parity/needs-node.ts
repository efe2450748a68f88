// What a script for Node imports, by itself or by neighbours, beyond Node's own modules. Types are taken out first: they are
// not imported when it runs.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { builtinModules, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

import { parse, type Node, type Program } from 'acorn'
import { full } from 'acorn-walk'

const OWN = new Set(builtinModules)
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '/index.js', '/index.ts']

/** Names of packages, sorted. What cannot be read as JavaScript needs nothing: it is compared. */
export function nodeScriptNeeds(file: string, seen: Set<string> = new Set()): readonly string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const program = programOf(file)
  if (!program) return []
  const found = new Set<string>()
  for (const name of importsOf(program)) {
    if (/^[./]/.test(name)) {
      const near = ENDINGS.map((ending) => join(dirname(file), name) + ending).find(isFile)
      if (near) for (const one of nodeScriptNeeds(near, seen)) found.add(one)
    } else if (!name.startsWith('node:') && !OWN.has(name)) found.add(packageOf(name))
  }
  return [...found].toSorted()
}

function programOf(file: string): Program | null {
  let text = readFileSync(file, 'utf8')
  try {
    if (/\.[cm]?ts$/.test(file)) text = stripTypeScriptTypes(text)
  } catch {
    return null
  }
  for (const sourceType of ['module', 'commonjs'] as const)
    try {
      return parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true })
    } catch {
      // The other one may do.
    }
  return null
}

/** What is named as a text in `import`, `export … from`, `import()` and `require()`. */
function importsOf(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  full(program, (node) => {
    const source = sourceOf(node)
    if (typeof source === 'string') names.add(source)
  })
  return names
}

function sourceOf(node: Node): unknown {
  // The cast: of a node's fields, the ones that are looked at.
  const {
    type,
    source,
    callee,
    arguments: given,
  } = node as Node & {
    readonly source?: { readonly value?: unknown } | null
    readonly callee?: { readonly name?: string }
    readonly arguments?: readonly { readonly value?: unknown }[]
  }
  if (/^(?:Import|Export)/.test(type)) return source?.value
  return type === 'CallExpression' && callee?.name === 'require' ? given?.[0]?.value : undefined
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
