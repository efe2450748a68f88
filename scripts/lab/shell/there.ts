// Runs one-liners with this machine's own bash and tools, each in a copy of the input files.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { filesBelow } from './here.ts'

export interface ThereOutcome {
  /** Null if it took too long. */
  readonly exitCode: number | null
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

const WALL_MS = 20_000
const OUTPUT_BYTES = 16_777_216

export function runThere(command: string, files: ReadonlyMap<string, Uint8Array>): ThereOutcome {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-there-'))
  try {
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    const env = {
      HOME: folder,
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TERM: 'dumb',
      TMPDIR: '/tmp',
    }
    const options = { cwd: folder, env, argv0: 'bash', timeout: WALL_MS, maxBuffer: OUTPUT_BYTES, input: '' }
    const ran = spawnSync('/bin/bash', ['-c', command], options)
    const text = (bytes: Buffer): Buffer =>
      bytes.includes(folder)
        ? Buffer.from(bytes.toString('latin1').replaceAll(folder, '/mnt/user-data/workspace'), 'latin1')
        : bytes
    return {
      exitCode: ran.status,
      stdout: new Uint8Array(text(ran.stdout)),
      stderr: text(ran.stderr).toString(),
      files: filesBelow(folder),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
