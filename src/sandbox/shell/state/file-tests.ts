// Tests of files and variables for `test` and `[[`.

import { FileError, type FileStatus } from '../../commands/io/files.ts'
import { elementOf, valueOf } from './assign.ts'
import type { Shell } from './shell.ts'

export const UNARY_OPERATORS = /^-[a-hknoprstuvwxzGLNORS]$/

/** Evaluates a test such as `-f path`, `-z text` or `-v name`. */
export async function testUnary(shell: Shell, operator: string, text: string): Promise<boolean> {
  switch (operator) {
    case '-n':
      return text !== ''
    case '-z':
      return text === ''
    case '-v':
      return isSet(shell, text)
    case '-R':
      return shell.variables.find(text)?.reference ?? false
    case '-o':
      return shell.options.isSet(text) && shell.options.isOn(text)
    case '-t':
      return false
    case '-h':
    case '-L':
      return (await statusOf(shell, text, 'lstat'))?.kind === 'link'
    default: {
      const { kind, file } = entryAt(shell, text)
      if (kind === 'file') return testFile(operator, await statusOf(shell, file, 'stat'))
      if (/^-[bcdfgkpsuxS]$/.test(operator))
        return (operator === '-p' && kind === 'pipe') || (operator === '-c' && kind === 'device')
      return kind !== 'missing'
    }
  }
}

/** What is at a path: a file, an open descriptor (which may refer to a file), or a device. */
function entryAt(shell: Shell, path: string): { kind: 'file' | 'pipe' | 'device' | 'missing'; file: string } {
  const real = path === '' ? '' : shell.host.files(shell.cwd, shell.umask).resolve(path)
  if (/^\/dev\/(?:null|zero|u?random)$/.test(real)) return { kind: 'device', file: real }
  const [, digits, name] = /^\/dev\/(?:fd\/(\d+)|(stdin|stdout|stderr))$/.exec(real) ?? []
  if (digits === undefined && name === undefined) return { kind: 'file', file: path }
  const fd = digits === undefined ? ['stdin', 'stdout', 'stderr'].indexOf(name ?? '') : Number(digits)
  const descriptor = shell.descriptors.get(fd)
  if (!descriptor) return { kind: 'missing', file: real }
  const { file } = descriptor
  return file === undefined ? { kind: descriptor.kind ?? 'device', file: real } : { kind: 'file', file }
}

/** Tests a property of a file. Every file counts as readable; writing is checked only when it happens. */
function testFile(operator: string, status: FileStatus | null): boolean {
  if (!status) return false
  switch (operator) {
    case '-f':
      return status.kind === 'file'
    case '-d':
      return status.kind === 'directory'
    case '-s':
      return status.kind === 'directory' || status.size > 0
    case '-x':
      return (status.mode & 0o111) !== 0 || status.kind === 'directory'
    case '-w':
      return (status.mode & 0o222) !== 0
    case '-b':
    case '-c':
    case '-p':
    case '-S':
    case '-g':
    case '-u':
    case '-k':
      return false
    default:
      return true
  }
}

async function isSet(shell: Shell, text: string): Promise<boolean> {
  if (/^[0-9]+$/.test(text)) return Number(text) <= shell.positional.length
  const [, name = '', subscript] = /^(\w+)(?:\[(.*)\])?$/s.exec(text) ?? []
  const value = valueOf(shell, name)
  if (value === null) return false
  if (subscript === '@' || subscript === '*') return typeof value === 'string' || value.size > 0
  if (subscript !== undefined) return elementOf(shell, name, subscript) !== null
  return typeof value === 'string' || elementOf(shell, name, '0') !== null
}

export async function compareFiles(
  shell: Shell,
  left: string,
  operator: string,
  right: string,
): Promise<boolean> {
  const [one, other] = [await statusOf(shell, left, 'stat'), await statusOf(shell, right, 'stat')]
  if (operator === '-ef') return one !== null && other !== null && one.inode === other.inode
  if (operator === '-nt') return one !== null && (other === null || one.mtimeMs > other.mtimeMs)
  return other !== null && (one === null || one.mtimeMs < other.mtimeMs)
}

async function statusOf(shell: Shell, path: string, kind: 'stat' | 'lstat'): Promise<FileStatus | null> {
  if (path === '') return null
  try {
    return await shell.host.files(shell.cwd, shell.umask)[kind](path)
  } catch (error) {
    if (error instanceof FileError) return null
    throw error
  }
}
