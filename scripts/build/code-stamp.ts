// Computes a digest of modules, everything that they import, and the versions of imported packages. Results that were
// cached for another digest are invalid. Does not run the code.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import * as z from 'zod'

/** Matches imports that exist at run time, so not type-only imports. */
const IMPORTS =
  /^(?:import|export)(?!\s+type\b)[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

const Package = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()).default({}) })

/** The digest of these modules, whose paths are relative to `root`. Throws if one cannot be read. */
export function codeStamp(root: string, entries: readonly string[]): string {
  const { files, packages } = collectModules(entries.map((entry) => join(root, entry)))
  const hash = createHash('sha256').update(`${process.version}\0${process.versions.unicode}\0`)
  for (const file of [...files.keys()].toSorted())
    hash.update(`${relative(root, file)}\0`).update(files.get(file) ?? '')
  for (const version of versionsOf(root, packages)) hash.update(`${version}\0`)
  return hash.digest('hex')
}

/** The files that these modules import, directly or not, and the packages that those files import. */
function collectModules(entries: readonly string[]): {
  readonly files: ReadonlyMap<string, string>
  readonly packages: ReadonlySet<string>
} {
  const files = new Map<string, string>()
  const packages = new Set<string>()
  const queue = [...entries]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue
    const text = readFileSync(file, 'utf8')
    files.set(file, text)
    for (const [, staticImport, sideEffectImport, dynamicImport] of text.matchAll(IMPORTS)) {
      const name = staticImport ?? sideEffectImport ?? dynamicImport ?? ''
      if (name.startsWith('.')) queue.push(join(dirname(file), name))
      else if (!/^(?:node|cloudflare):/.test(name)) packages.add(packageOf(name))
    }
  }
  return { files, packages }
}

/** The name of a package (`yaml`, `@scope/name`) without the path after it. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** These packages and all their dependencies as `name@version`, sorted. */
function versionsOf(root: string, packages: ReadonlySet<string>): readonly string[] {
  const versions = new Set<string>()
  const queue = Array.from(packages, (name) => ({ name, from: root }))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const found = packageAt(next.name, next.from)
    const version = `${next.name}@${found?.version ?? 'none'}`
    if (versions.has(version)) continue
    versions.add(version)
    for (const name of Object.keys(found?.dependencies ?? {}))
      queue.push({ name, from: found?.folder ?? root })
  }
  return [...versions].toSorted()
}

/** The package as Node resolves it from a folder; null if it is not found. */
function packageAt(
  name: string,
  staticImport: string,
): (z.infer<typeof Package> & { readonly folder: string }) | null {
  for (const modules of createRequire(join(staticImport, 'x.js')).resolve.paths(name) ?? [])
    try {
      const folder = join(modules, name)
      return { ...Package.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))), folder }
    } catch {
      // Not in this folder.
    }
  return null
}
