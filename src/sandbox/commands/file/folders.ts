// `mkdir` and `rmdir`.

import { Failed, type Command, type CommandIo, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions } from '../options.ts'
import { modeChange } from './mode.ts'
import { folderName, quotedName } from './names.ts'
import { complain, reported } from './report.ts'

const MKDIR = [
  { flags: '-m --mode', value: 'required' },
  { flags: '-p --parents' },
  { flags: '-v --verbose' },
  { flags: '-Z --context', value: 'optional', refused: 'mkdir without it' },
] as const
const NEW_FOLDER = 0o777

export const mkdir: Command = {
  async run(io) {
    const parsed = parseOptions('mkdir', io.args, MKDIR)
    if (parsed.operands.length === 0) throw usage('mkdir', 'missing operand')
    const modeText = parsed.value('-m')
    const change = modeText === undefined ? null : modeChange(modeText, io.files.umask)
    if (modeText !== undefined && !change) throw new Failed(`invalid mode ‘${modeText}’`)
    let exitCode = 0
    for (const path of parsed.operands) {
      const reportCreated = parsed.has('-v') ? async (made: string) => printCreated(io, made) : null
      const done = parsed.has('-p')
        ? await withParents(io, path, reportCreated)
        : await one(io, path, reportCreated)
      if (!done) exitCode = 1
      else if (change && done === 'made') await io.files.setMode(path, change(NEW_FOLDER, true))
    }
    return exitCode
  },
}

type ReportCreated = ((path: string) => Promise<void>) | null

async function printCreated(io: CommandIo, path: string): Promise<void> {
  await io.stdout.write(`mkdir: created directory ${quotedName(path)}\n`)
}

async function one(io: CommandIo, path: string, reportCreated: ReportCreated): Promise<'made' | false> {
  if (!(await reported(io, `cannot create directory ‘${path}’`, async () => io.files.makeDirectory(path))))
    return false
  await reportCreated?.(path)
  return 'made'
}

async function withParents(
  io: CommandIo,
  path: string,
  reportCreated: ReportCreated,
): Promise<'made' | 'there' | false> {
  const status = path === '' ? null : await io.files.stat(path)
  if (status?.kind === 'directory') return 'there'
  if (status) return complain(io, `cannot create directory ‘${path}’: File exists`)
  const folder = folderName(path)
  if (path !== '' && folder !== path) {
    const above = await io.files.stat(folder)
    if (above && above.kind !== 'directory')
      return complain(io, `cannot create directory ‘${folder}’: Not a directory`)
    if (!above && !(await withParents(io, folder, reportCreated))) return false
  }
  return one(io, path, reportCreated)
}

const RMDIR = [
  { flags: '-p --parents' },
  { flags: '-v --verbose' },
  { flags: '--ignore-fail-on-non-empty' },
] as const

export const rmdir: Command = {
  async run(io) {
    const parsed = parseOptions('rmdir', io.args, RMDIR)
    if (parsed.operands.length === 0) throw usage('rmdir', 'missing operand')
    let exitCode = 0
    for (const path of parsed.operands) {
      for (let at = path; ; at = folderName(at)) {
        if (parsed.has('-v')) await io.stdout.write(`rmdir: removing directory, ${quotedName(at)}\n`)
        const full = (await io.files.stat(at))?.kind === 'directory' && (await io.files.list(at)).length > 0
        if (full && parsed.has('--ignore-fail-on-non-empty')) break
        const what = at === path ? 'failed to remove' : 'failed to remove directory'
        if (!(await reported(io, `${what} ${quotedName(at)}`, async () => remove(io, at)))) {
          exitCode = 1
          break
        }
        if (!parsed.has('-p') || !at.includes('/') || folderName(at) === '/' || folderName(at) === '.') break
      }
    }
    return exitCode
  },
}

async function remove(io: CommandIo, path: string): Promise<void> {
  const status = await io.files.lstat(path)
  if (status && status.kind !== 'directory') throw new FileError('Not a directory')
  await io.files.remove(path)
}
