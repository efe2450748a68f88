// Runs python3 and node in their own isolates.

import { readAll } from '../../commands/io/reader.ts'
import { BrokenPipe } from '../../commands/io/writer.ts'
import { runsOf } from '../../write-order.ts'
import { NOTHING_TO_READ, type Descriptor } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'
import { shellFiles } from './files.ts'

export async function runProgram(
  shell: Shell,
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const { descriptors, host } = shell
  const [stdout, stderr] = [descriptors.get(1), descriptors.get(2)]
  const goesOut = (descriptor: Descriptor | undefined): boolean =>
    descriptor === host.output.stdout || descriptor === host.output.stderr
  const shown = goesOut(stdout) && goesOut(stderr)
  const call = {
    name,
    args: await withFiles(shell, args),
    cwd: shell.cwd,
    env,
    stdin: descriptors.get(0)?.input?.reader ?? NOTHING_TO_READ,
    umask: shell.umask,
    shown,
  }
  const result = await host.run(call)
  try {
    await host.written(shown, async () => {
      for (const { stream, bytes } of runsOf(result))
        await (stream === 'stdout' ? stdout : stderr)?.write?.(bytes)
    })
  } catch (error) {
    if (error instanceof BrokenPipe) return 141
    throw error
  }
  return result.exitCode
}

/** A program does not share descriptors, so the output of `<(…)` becomes a file for it. */
async function withFiles(shell: Shell, args: readonly string[]): Promise<string[]> {
  const given: string[] = []
  for (const arg of args) {
    const [, fd] = /^\/dev\/fd\/(\d+)$/.exec(arg) ?? []
    const input = fd === undefined ? null : shell.descriptors.get(Number(fd))?.input
    if (!input) {
      given.push(arg)
      continue
    }
    const path = `/tmp/.input-${shell.host.fresh()}`
    await shellFiles(shell).write(path, await readAll(input, (bytes) => shell.host.held(bytes)))
    given.push(path)
  }
  return given
}
