// Loads the code of a runtime from the Worker's static files: a manifest, and the files whose digests it
// lists.

import { sha256Hex } from '../lib/bytes.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { FileSource } from './file-source.ts'
import { SANDBOX_CPU_MAX_MS } from './limits.ts'
import {
  INDEX_PARTS,
  INSTALLED_PART,
  NOTHING_INSTALLED,
  PACKAGES,
  readPart,
  type InstalledPackages,
  type PackageManifest,
} from './installed-packages.ts'

export type RuntimeName = 'bash' | 'python' | 'node'

/** The code of a Worker in the form that the loader accepts. */
export interface ChildCode {
  readonly compatibilityDate: string
  readonly compatibilityFlags?: string[]
  readonly mainModule: string
  readonly modules: Record<string, { js: string } | { wasm: ArrayBuffer } | { data: ArrayBuffer }>
  readonly env: object
  readonly globalOutbound: null
  readonly limits: { readonly cpuMs: number }
}

/** An available runtime. */
export interface Runtime {
  /** The digest of its complete code. */
  readonly digest: string
  /** Rejects if one of its files is missing. */
  code(): Promise<ChildCode>
}

/** `/runtimes/<name>.json`, as scripts/runtimes/store.ts writes it. */
interface Manifest {
  readonly main: string
  readonly flags?: string[]
  readonly modules: Readonly<
    Record<string, { readonly type: 'js' | 'wasm' | 'data'; readonly file: string; readonly sha256: string }>
  >
}

export class Runtimes {
  readonly #sources: readonly FileSource[]
  readonly #cached = new Map<RuntimeName, Runtime>()
  #packages: PackageManifest | null = null
  #installed: InstalledPackages | null = null

  /** `sources` are tried in this order. */
  constructor(sources: readonly FileSource[]) {
    this.#sources = sources
  }

  /** The runtime with this name, which is then cached. The error is a message for the operator. */
  async get(name: RuntimeName): Promise<Result<Runtime, string>> {
    const cached = this.#cached.get(name)
    if (cached) return ok(cached)
    for (const source of this.#sources) {
      try {
        const response = await source.fetch(urlOf(`${name}.json`))
        if (!response.ok) {
          await response.body?.cancel()
          continue
        }
        // The cast is safe: scripts/runtimes/store.ts wrote the manifest.
        const manifest = (await response.json()) as Manifest
        const runtime = await runtimeOf(name, await this.#withPackages(source, name, manifest))
        this.#cached.set(name, runtime)
        return ok(runtime)
      } catch {
        // Try the next source.
      }
    }
    return err(
      `the runtime ${name} is missing. The operator of this server can build it: node scripts/assets.ts`,
    )
  }

  /**
   * The imports that scripts can use in addition to the standard library. Never rejects: without the list, there are
   * none.
   */
  async installed(): Promise<InstalledPackages> {
    if (this.#installed) return this.#installed
    try {
      const manifest = await this.#packageManifest()
      const bytes = manifest && (await readPart(manifest, INSTALLED_PART, urlOf))
      if (!bytes) return NOTHING_INSTALLED
      // The cast is safe: scripts/runtimes/packages.ts wrote the list.
      this.#installed = JSON.parse(new TextDecoder().decode(bytes)) as InstalledPackages
      return this.#installed
    } catch {
      return NOTHING_INSTALLED
    }
  }

  /** The bytes of a pack; null if there is no such pack. Rejects if its file is missing. */
  async readPack(part: string): Promise<Uint8Array | null> {
    const manifest = await this.#packageManifest()
    return manifest && readPart(manifest, part, urlOf)
  }

  async #packageManifest(): Promise<PackageManifest | null> {
    if (this.#packages) return this.#packages
    for (const source of this.#sources) {
      try {
        const response = await source.fetch(urlOf(`${PACKAGES}.json`))
        if (!response.ok) {
          await response.body?.cancel()
          continue
        }
        // The cast is safe: scripts/runtimes/store.ts wrote the manifest.
        const { modules } = (await response.json()) as Pick<PackageManifest, 'modules'>
        this.#packages = { source, modules }
        return this.#packages
      } catch {
        // Try the next source.
      }
    }
    return null
  }

  /** The modules of a runtime, with the index of the deployment's packages. */
  async #withPackages(source: FileSource, name: RuntimeName, manifest: Manifest): Promise<PlacedManifest> {
    const own = Object.entries(manifest.modules).map(([moduleName, module]): [string, PlacedModule] => [
      moduleName,
      { ...module, source },
    ])
    const packages = name === 'bash' ? null : await this.#packageManifest()
    const index = name === 'bash' ? undefined : packages?.modules[INDEX_PARTS[name]]
    const placed: [string, PlacedModule][] =
      packages && index ? [[INDEX_MODULE, { ...index, source: packages.source }]] : []
    return { ...manifest, modules: Object.fromEntries([...own, ...placed]) }
  }
}

/** The module with which a runtime finds the packages. */
const INDEX_MODULE = 'packages.bin'

/** A module and its file, which may come from a different source than the runtime. */
interface PlacedModule {
  readonly type: 'js' | 'wasm' | 'data'
  readonly file: string
  readonly sha256: string
  readonly source: FileSource
}

type PlacedManifest = Omit<Manifest, 'modules'> & { readonly modules: Readonly<Record<string, PlacedModule>> }

async function runtimeOf(name: RuntimeName, manifest: PlacedManifest): Promise<Runtime> {
  const modules = Object.entries(manifest.modules).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = await sha256Hex(
    [
      manifest.main,
      manifest.flags,
      ...modules.map(([moduleName, { sha256 }]) => `${moduleName} ${sha256}`),
    ].join('\n'),
  )
  return {
    digest: digest.slice(0, 16),
    async code() {
      const loaded = await Promise.all(
        modules.map(
          async ([moduleName, { type, file, source }]): Promise<[string, ChildCode['modules'][string]]> => {
            const response = await source.fetch(urlOf(file))
            if (!response.ok)
              throw new Error(`${file} of the runtime ${name} is missing (${response.status})`)
            if (type === 'js') return [moduleName, { js: await response.text() }]
            const bytes = await response.arrayBuffer()
            return [moduleName, type === 'wasm' ? { wasm: bytes } : { data: bytes }]
          },
        ),
      )
      return {
        compatibilityDate: '2026-11-01',
        ...(manifest.flags ? { compatibilityFlags: manifest.flags } : {}),
        mainModule: manifest.main,
        modules: Object.fromEntries(loaded),
        env: {},
        // No network access for the guest.
        globalOutbound: null,
        limits: { cpuMs: SANDBOX_CPU_MAX_MS },
      }
    },
  }
}

function urlOf(file: string): string {
  return `https://assets.local/runtimes/sandbox/${file}`
}
