// Runs a script with the shell's own code, over files in memory, without an isolate.

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { ShellFiles } from '../../../../src/sandbox/bash/files.ts'
import { runScript, type LanguageParts } from '../../../../src/sandbox/bash/language.ts'
import { ShellTree } from '../../../../src/sandbox/bash/tree.ts'
import { decode } from '../../../../src/sandbox/commands/io/text.ts'

const WORK = '/mnt/user-data/workspace'

export interface ScriptResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The message if a construct was refused. */
  readonly refused: string | null
}

export async function runShellScript(script: string): Promise<ScriptResult> {
  const tree = new ShellTree({
    files: [],
    overlay: [],
    limits: { fileBytes: 1e6, files: 1_000 },
    cachedBytes: 1e6,
    read: async () => null,
    keep: null,
    now: () => new Date(0),
    onQuotaReached: () => {},
  })
  const fs = new ShellFiles(tree)
  fs.addSystem(Object.keys(OWN_COMMANDS))
  tree.seal()
  const text = { stdout: '', stderr: '' }
  const descriptor = (stream: 'stdout' | 'stderr'): LanguageParts['output']['stdout'] => ({
    input: null,
    write: (bytes) => {
      text[stream] += decode(bytes)
      return undefined
    },
    close: async () => {},
  })
  let refused: string | null = null
  const parts: LanguageParts = {
    fs,
    commands: OWN_COMMANDS,
    hasProgram: () => false,
    run: async () => {
      throw new Error('no programs in these tests')
    },
    written: async (_shown, write) => write(),
    refused: (message) => (refused ??= message),
    notFound: (name) => `${name}: command not found`,
    now: Date.now,
    fresh: () => 'abc123',
    random: (below) => Math.floor(Math.random() * below),
    tooMuch: () => {
      throw new Error('too much')
    },
    held: () => {},
    heldInVariables: () => {},
    leaves: () => {},
    wasm: async () => {
      throw new Error('no modules in these tests')
    },
    spend: () => undefined,
    output: { stdout: descriptor('stdout'), stderr: descriptor('stderr') },
  }
  const env = { HOME: WORK, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }
  const exitCode = await runScript(parts, {
    argv: ['bash', '-c', script],
    cwd: WORK,
    env,
    stdin: new Uint8Array(),
  })
  return { ...text, exitCode, refused }
}
