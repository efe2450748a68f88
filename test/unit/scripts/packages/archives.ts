// Archives for tests: real wheels and npm packages, built in memory.

import { gzipSync } from 'node:zlib'

import { zipSync } from 'fflate'
import { packTar } from 'modern-tar'

const MOMENT = new Date(1980, 0, 1)

export interface WheelParts {
  readonly name: string
  readonly version: string
  readonly files: Readonly<Record<string, string>>
  /** Lines of METADATA, such as `Requires-Dist: beta>=1`. */
  readonly metadata?: readonly string[]
  /** The tags in the file name. */
  readonly tags?: string
}

/** The name and bytes of a wheel. */
export function wheel({ name, version, files, metadata = [], tags = 'py3-none-any' }: WheelParts): {
  readonly file: string
  readonly bytes: Uint8Array
} {
  const info = `${name}-${version}.dist-info`
  const lines = ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`, 'License: MIT', ...metadata]
  const all = {
    ...files,
    [`${info}/METADATA`]: `${lines.join('\n')}\n\nA package of a test.\n`,
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nTag: ${tags}\n`,
    [`${info}/RECORD`]: '',
  }
  const encoded = Object.fromEntries(
    Object.entries(all).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
  return { file: `${name}-${version}-${tags}.whl`, bytes: zipSync(encoded, { mtime: MOMENT }) }
}

/** The bytes of an npm package. */
export async function npmArchive(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([path, text]) => {
    const body = new TextEncoder().encode(text)
    return {
      header: { name: `package/${path}`, size: body.length, type: 'file' as const, mtime: MOMENT },
      body,
    }
  })
  return new Uint8Array(gzipSync(await packTar(entries)))
}
