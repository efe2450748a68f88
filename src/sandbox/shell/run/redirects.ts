// Opens the targets of redirections.

import { FileError } from '../../commands/io/files.ts'
import { bytesReader } from '../../commands/io/reader.ts'
import { encode } from '../../commands/io/text.ts'
import { expandFields, expandText } from '../expand/words.ts'
import { assign } from '../state/assign.ts'
import { inputDescriptor, nullDescriptor, pipedInput, type Descriptor } from '../state/descriptors.ts'
import { CommandError, ExpansionError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import type { Redirect } from '../syntax/tree.ts'
import { shellFiles } from './files.ts'

/** The lowest descriptor that `{name}>` assigns. */
const FIRST_FREE = 10

/** The exit code of `${x:?}` and of `set -u`, which end the shell. */
export const FATAL = 127

/** Changes the shell's descriptors. Throws a `CommandError` if something cannot be opened. */
export async function redirect(shell: Shell, redirects: readonly Redirect[]): Promise<void> {
  if (redirects.length === 0) return
  shell.descriptors = new Map(shell.descriptors)
  for (const one of redirects) await apply(shell, one)
}

async function apply(shell: Shell, { operator, descriptor, variable, target }: Redirect): Promise<void> {
  const reads =
    operator === '<' || operator === '<<' || operator === '<<<' || operator === '<&' || operator === '<>'
  let fd = descriptor ?? (reads ? 0 : 1)
  if (operator === '<<' || operator === '<<<') {
    const text = await hereText(shell, target)
    const body = operator === '<<<' ? `${text}\n` : text
    put(shell, variable, fd, pipedInput(bytesReader(encode(body)), true))
    return
  }
  const name = await targetOf(shell, target)
  if (operator === '<&' || operator === '>&') {
    if (name === '-') {
      if (variable !== null)
        fd = Number(
          await expandText(shell, {
            parts: [
              {
                kind: 'parameter',
                parameter: {
                  name: variable,
                  subscript: null,
                  indirect: false,
                  operation: null,
                  source: variable,
                },
              },
            ],
            source: variable,
          }),
        )
      shell.descriptors.delete(fd)
      return
    }
    const [, digits, moves] = /^(\d+)(-?)$/.exec(name) ?? []
    if (digits !== undefined) {
      const other = shell.descriptors.get(Number(digits))
      if (!other) throw new CommandError(`${digits}: Bad file descriptor`)
      put(shell, variable, fd, other)
      if (moves === '-' && Number(digits) !== fd) shell.descriptors.delete(Number(digits))
      return
    }
    if (operator === '<&' || descriptor !== null) throw new CommandError(`${name}: ambiguous redirect`)
  }
  if (operator === '&>' || operator === '&>>' || operator === '>&') {
    const both = await openFile(shell, name, operator === '&>>' ? '>>' : '>')
    shell.descriptors.set(1, both)
    shell.descriptors.set(2, both)
    return
  }
  put(shell, variable, fd, await openFile(shell, name, operator))
}

/** A failure here is reported as a failed redirection, and does not end the line. */
async function hereText(shell: Shell, target: Redirect['target']): Promise<string> {
  try {
    return await expandText(shell, target)
  } catch (error) {
    const isOwn = error instanceof ExpansionError && error.status !== FATAL
    throw isOwn ? new CommandError(error.message) : error
  }
}

function put(shell: Shell, variable: string | null, fd: number, descriptor: Descriptor): void {
  let number = fd
  if (variable !== null) {
    number = FIRST_FREE
    while (shell.descriptors.has(number)) number++
    assign(shell, variable, String(number))
  }
  shell.descriptors.set(number, descriptor)
}

async function targetOf(shell: Shell, target: Redirect['target']): Promise<string> {
  const [only, ...more] = await expandFields(shell, [target])
  if (only === undefined || more.length > 0) throw new CommandError(`${target.source}: ambiguous redirect`)
  return only
}

async function openFile(
  shell: Shell,
  path: string,
  operator: '<' | '>' | '>>' | '>|' | '<>',
): Promise<Descriptor> {
  const files = shellFiles(shell)
  if (path === '') throw new CommandError(`${path}: No such file or directory`)
  const real = files.resolve(path)
  if (real === '/dev/null') return nullDescriptor()
  if (/^\/dev\/(?:tcp|udp)\//.test(real)) throw new CommandError(`${path}: No such file or directory`)
  const shared = /^\/dev\/(?:fd\/(\d+)|(std(?:in|out|err)))$/.exec(real)
  if (shared) {
    const fd =
      shared[1] === undefined ? ['stdin', 'stdout', 'stderr'].indexOf(shared[2] ?? '') : Number(shared[1])
    const descriptor = shell.descriptors.get(fd)
    if (!descriptor) throw new CommandError(`${path}: No such file or directory`)
    return descriptor
  }
  try {
    if (operator === '<')
      return { ...inputDescriptor(await files.open(path), true), file: await files.realPath(path) }
    const status = await files.stat(path)
    if (status?.kind === 'directory') throw new CommandError(`${path}: Is a directory`)
    if (operator === '>' && status && shell.options.isOn('noclobber'))
      throw new CommandError(`${path}: cannot overwrite existing file`)
    const writer = await files.create(path, {
      append: operator === '>>' || (operator === '<>' && status !== null),
    })
    const write = async (bytes: Uint8Array): Promise<void> => {
      await writer.write(bytes)
      await writer.flush()
    }
    const file = await files.realPath(path)
    if (operator !== '<>') return { input: null, file, write, close: async () => {} }
    const { input } = inputDescriptor(await files.open(path), true)
    return { input, file, write, close: async () => {} }
  } catch (error) {
    if (error instanceof FileError) throw new CommandError(`${path}: ${error.message}`)
    throw error
  }
}
