// `jq`: the original jq (1.8.2), compiled to WebAssembly, with its options, messages and exit codes.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { readAll } from '../io/reader.ts'
import { jqCalls, type JqStreams } from './calls.ts'
import { CAN_WAIT, runJq } from './machine.ts'

export const jq: Command = {
  async run(io) {
    if (io.args.some((arg) => arg.includes('%Z') && /strf(?:local)?time/.test(arg)))
      throw new Unsupported('jq strftime with %Z', 'the name of the zone as text, or date +%Z')
    const module = await io.wasm('jq')
    const streams = CAN_WAIT ? waiting(io) : await prepared(io)
    const exitCode = await runJq(module, ['jq', ...io.args], {
      calls: (memory) => jqCalls(memory, streams),
      now: io.now,
      spend: (steps) => io.spend(steps),
    })
    await io.stderr.flush()
    return exitCode
  },
}

function waiting(io: CommandIo): JqStreams {
  return {
    env: io.env,
    cwd: io.cwd,
    stdin: async () => io.stdin.read(),
    write: (stream, bytes) => (stream === 1 ? io.stdout : io.stderr).write(bytes),
    open: async (path) => readFile(io, path),
  }
}

/** Reads all files that the arguments name before the start. */
async function prepared(io: CommandIo): Promise<JqStreams> {
  const files = new Map<string, Uint8Array | FileError>()
  for (const arg of io.args)
    try {
      files.set(arg, await readFile(io, arg))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      files.set(arg, error)
    }
  let input: Uint8Array | null = await readAll(io.stdin)
  return {
    env: io.env,
    cwd: io.cwd,
    stdin: () => {
      const all = input
      input = null
      return all
    },
    write: (stream, bytes) => {
      void (stream === 1 ? io.stdout : io.stderr).write(bytes)
      return undefined
    },
    open: (path) => {
      const file = files.get(path) ?? new FileError('No such file or directory')
      if (file instanceof FileError) throw file
      return file
    },
  }
}

async function readFile(io: CommandIo, path: string): Promise<Uint8Array> {
  const reader = await io.files.open(path)
  return readAll(reader)
}
