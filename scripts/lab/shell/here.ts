// Runs one-liners in Satchel's shell within this process, with the isolate's bundle loaded into Node.

import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { GuestHost, GuestJob, GuestResult, HostPiece } from '../../../src/sandbox/guest.ts'
import type { WasmName } from '../../../src/sandbox/commands/command.ts'
import { bundleBash } from '../../runtimes/bash.ts'
import { jqModule } from '../../runtimes/jq.ts'
import { sqliteModule } from '../../runtimes/sqlite.ts'
import type * as Child from './child.ts'

const WORK = '/mnt/user-data/workspace'
const WALL_MS = 20_000

export interface HereOutcome {
  readonly exitCode: number
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly stopped: GuestResult['stopped']
  /** The files after the command, by path relative to the working directory. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export type RunHere = (command: string, files: ReadonlyMap<string, Uint8Array>) => Promise<HereOutcome>

/** Builds the shell. */
export async function shellHere(root: string): Promise<RunHere> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-shell-'))
  const file = join(folder, 'shell.mjs')
  writeFileSync(file, await bundleBash(root, 'scripts/lab/shell/child.ts'))
  // The cast is safe: the file is the bundle of child.ts.
  const { runBash, shell } = (await import(pathToFileURL(file).href)) as typeof Child
  rmSync(folder, { recursive: true })
  const modules = { jq: jqModule, sqlite: sqliteModule }
  const compiled = new Map<string, Promise<WebAssembly.Module>>()
  return async (command, files) => {
    const job: GuestJob = {
      id: 'one',
      argv: ['bash', '-c', command],
      cwd: WORK,
      env: { HOME: WORK, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' },
      stdin: new Uint8Array(),
      files: [...files].map(([path, { length }]) => ({
        path: `${WORK}/${path}`,
        bytes: length,
        writable: true,
      })),
      overlay: [],
      limits: {
        wallMs: WALL_MS,
        steps: WALL_MS * 600_000,
        outputBytes: 2_097_152,
        fileBytes: 16_777_216,
        files: 2_000,
        heapBytes: 67_108_864,
      },
    }
    const host: GuestHost = {
      read: async (path, range) => {
        const all = files.get(path.slice(WORK.length + 1))
        return (range ? all?.slice(range.offset, range.offset + range.length) : all) ?? null
      },
      progress: () => {},
    }
    const parts = {
      shell,
      now: Date.now,
      fresh: () => Math.random().toString(36).slice(2, 8),
      wasm: async (name: WasmName) => {
        const module = compiled.get(name) ?? WebAssembly.compile(modules[name](root))
        compiled.set(name, module)
        return module
      },
    }
    const result = await runBash(job, host, parts).result
    const bytesOf = ({ source, offset, bytes }: HostPiece): Uint8Array =>
      files.get(source.slice(WORK.length + 1))?.subarray(offset, offset + bytes) ?? new Uint8Array()
    const after = new Map(files)
    for (const { path, bytes, pieces = [] } of result.changes) {
      const name = path.slice(WORK.length + 1)
      if (bytes === null) after.delete(name)
      else after.set(name, Buffer.concat([...pieces.map(bytesOf), bytes]))
    }
    return {
      exitCode: result.exitCode,
      stdout: result.stdout,
      stderr: new TextDecoder().decode(result.stderr),
      stopped: result.stopped,
      files: after,
    }
  }
}

/** Reads all files below a folder, by relative path. */
export function filesBelow(folder: string): ReadonlyMap<string, Uint8Array> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => isFile(join(folder, name)))
      .map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]),
  )
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // The link is broken or points to itself.
    return false
  }
}
