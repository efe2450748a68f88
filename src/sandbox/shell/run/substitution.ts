// Command and process substitution.

import { FileError } from '../../commands/io/files.ts'
import { concat } from '../../commands/io/bytes.ts'
import { Pipe } from '../../commands/io/pipe.ts'
import { messagePrefix } from '../builtins/builtin.ts'
import { expandText } from '../expand/words.ts'
import { pipedInput, pipeDescriptor, writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'
import type { Script, Word } from '../syntax/tree.ts'
import type { Execution } from './execution.ts'
import { shellFiles } from './files.ts'

export async function substitute(
  execution: Execution,
  shell: Shell,
  body: Script | string,
  line: number,
): Promise<Uint8Array> {
  const path = typeof body === 'string' ? null : inputOnly(body)
  if (path) return readInput(shell, path)
  const copy = shell.fork()
  if (!shell.options.isOn('inherit_errexit')) copy.options.turn('errexit', false)
  copy.listedJobs = [...shell.listedJobs, ...shell.jobs]
  copy.traceDepth++
  const chunks: Uint8Array[] = []
  let length = 0
  copy.descriptors.set(1, {
    input: null,
    write: (bytes) => {
      chunks.push(bytes)
      length += bytes.length
      shell.host.held(length)
      return undefined
    },
    close: async () => {},
  })
  shell.status = await execution.subshell(
    shell,
    async () => (typeof body === 'string' ? execution.text(copy, body, line) : execution.list(copy, body)),
    copy,
  )
  shell.substituted = shell.status
  return concat(chunks)
}

/** The file of `$(< file)`; null for other commands. */
function inputOnly({ items }: Script): Word | null {
  const [item] = items
  const command = item?.chain[0]?.pipeline.commands[0]
  if (items.length !== 1 || item?.chain.length !== 1 || command?.kind !== 'simple') return null
  const [redirect] = command.redirects
  if (command.words.length + command.assignments.length > 0 || command.redirects.length !== 1) return null
  return redirect?.operator === '<' && redirect.descriptor === null ? redirect.target : null
}

async function readInput(shell: Shell, word: Word): Promise<Uint8Array> {
  const path = await expandText(shell, word)
  try {
    const bytes = await shellFiles(shell).read(path)
    shell.host.held(bytes.length)
    shell.substituted = 0
    return bytes
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${path}: ${error.message}\n`)
    shell.substituted = 1
    return new Uint8Array()
  }
}

export async function substituteProcess(
  execution: Execution,
  shell: Shell,
  direction: '<' | '>',
  body: Script,
): Promise<string> {
  let fd = 63
  while (shell.descriptors.has(fd)) fd--
  const pipe = new Pipe()
  const copy = shell.fork()
  copy.descriptors.set(direction === '<' ? 1 : 0, direction === '<' ? pipeDescriptor(pipe) : pipedInput(pipe))
  const done = execution
    .subshell(shell, async () => execution.list(copy, body), copy)
    .finally(() => {
      if (direction === '<') pipe.end()
      else pipe.close()
    })
  done.catch(() => {})
  shell.descriptors = new Map(shell.descriptors)
  shell.descriptors.set(fd, direction === '<' ? pipedInput(pipe) : pipeDescriptor(pipe))
  shell.processes.push({
    fd,
    end: async () => {
      if (direction === '<') pipe.close()
      else pipe.end()
      await done
    },
  })
  return `/dev/fd/${fd}`
}
