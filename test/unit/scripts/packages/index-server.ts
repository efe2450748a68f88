// A local package index for tests, over HTTP with the real protocols: the JSON simple API (PEP 691) below /simple/, and an
// npm registry below /npm/.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

import type { AddressInfo } from 'node:net'

export interface ServedWheel {
  readonly file: string
  readonly bytes: Uint8Array
  readonly yanked?: boolean | string
  readonly requiresPython?: string
  /** The digest that the index reports if it is not the file's. */
  readonly sha256?: string
}

interface ServedNodeVersion {
  readonly bytes: Uint8Array
  readonly manifest?: object
  /** The digest that the registry reports if it is not the file's. */
  readonly integrity?: string
}

export interface IndexServer {
  readonly python: string
  readonly npm: string
  /** How many archives were sent. */
  readonly sent: () => number
  readonly wheels: Map<string, ServedWheel[]>
  /** The versions of each npm package. */
  readonly node: Map<string, Record<string, ServedNodeVersion>>
  readonly close: () => Promise<void>
}

export async function startIndex(): Promise<IndexServer> {
  const wheels: IndexServer['wheels'] = new Map()
  const node: IndexServer['node'] = new Map()
  let sent = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://index')
    const found = answer(decodeURIComponent(pathname))
    response.statusCode = found === null ? 404 : 200
    response.end(found instanceof Uint8Array ? found : JSON.stringify(found))
  })
  const answer = (path: string): Uint8Array | object | null => {
    const [, area, name = '', rest = ''] =
      /^\/(simple|npm|files)\/((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(path) ?? []
    if (area === 'simple') return project(name)
    if (area === 'npm' && rest === '') return packument(name)
    sent += 1
    if (area === 'npm') return node.get(name)?.[rest.replace(/^-\//, '').replace(/\.tgz$/, '')]?.bytes ?? null
    return [...wheels.values()].flat().find(({ file }) => file === name)?.bytes ?? null
  }
  const project = (name: string): object | null => {
    const files = wheels.get(name)
    return files
      ? {
          meta: { 'api-version': '1.0' },
          name,
          files: files.map(({ file, bytes, yanked = false, requiresPython, sha256 }) => ({
            filename: file,
            url: `../../files/${file}`,
            hashes: { sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex') },
            yanked,
            ...(requiresPython === undefined ? {} : { 'requires-python': requiresPython }),
          })),
        }
      : null
  }
  const packument = (name: string): object | null => {
    const versions = node.get(name)
    if (!versions) return null
    const rows = Object.entries(versions).map(([version, { bytes, manifest = {}, integrity }]) => {
      const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const dist = { tarball: `/npm/${name}/-/${version}.tgz`, integrity: integrity ?? digest }
      return [version, { name, version, ...manifest, dist }]
    })
    return { name, versions: Object.fromEntries(rows) }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: the server listens on a TCP port.
  const { port } = server.address() as AddressInfo
  return {
    python: `http://127.0.0.1:${port}/simple`,
    npm: `http://127.0.0.1:${port}/npm`,
    sent: () => sent,
    wheels,
    node,
    close: async () => new Promise((resolve) => server.close(() => resolve())),
  }
}
