// `chmod`: changes permissions, which are not kept after the call.

import { type Command, type CommandIo, usage } from '../command.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { permissionsText } from './mode-text.ts'
import { modeChange } from './mode.ts'
import { joinedPath, quotedName } from './names.ts'
import { complain, reported } from './report.ts'

const OPTIONS = [
  { flags: '-c --changes' },
  { flags: '-f --silent --quiet' },
  { flags: '-v --verbose' },
  { flags: '-R --recursive' },
  { flags: '--reference', value: 'required' },
  { flags: '--preserve-root' },
  { flags: '--no-preserve-root', refused: 'chmod without it' },
] as const

type Change = (mode: number, isFolder: boolean) => number

export const chmod: Command = {
  async run(io) {
    // A mode such as `-x` looks like an option but is an operand.
    const at = io.args.includes('--') ? -1 : io.args.findIndex((arg) => /^-[rwxX]+(?:,.*)?$/.test(arg))
    const args = at === -1 ? io.args : [...io.args.slice(0, at), '--', ...io.args.slice(at)]
    const parsed = parseOptions('chmod', args, OPTIONS)
    const reference = parsed.value('--reference')
    const [text, ...rest] = parsed.operands
    if (text === undefined) throw usage('chmod', 'missing operand')
    const paths = reference === undefined ? rest : parsed.operands
    const change = reference === undefined ? modeChange(text, io.files.umask) : await modeOf(io, reference)
    if (!change) throw usage('chmod', `invalid mode: ‘${text}’`)
    if (paths.length === 0) throw usage('chmod', `missing operand after ‘${text}’`)
    let exitCode = 0
    for (const path of paths) if (!(await changed(io, parsed, change, path))) exitCode = 1
    return exitCode
  },
}

async function modeOf(io: CommandIo, path: string): Promise<Change | null> {
  const status = await io.files.stat(path)
  return status ? () => status.mode & 0o777 : null
}

async function changed(io: CommandIo, parsed: Parsed, change: Change, path: string): Promise<boolean> {
  const status = await io.files.stat(path)
  if (!status)
    return parsed.has('-f')
      ? false
      : complain(io, `cannot access ${quotedName(path)}: No such file or directory`)
  const mode = change(status.mode & 0o777, status.kind === 'directory')
  const done = await reported(io, `changing permissions of ${quotedName(path)}`, async () => {
    await io.files.setMode(path, mode)
  })
  if (!done) return false
  const same = mode === (status.mode & 0o777)
  const shown = (bits: number): string =>
    `${bits.toString(8).padStart(4, '0')} (${permissionsText({ ...status, mode: bits }).slice(1)})`
  if (parsed.has('-v') || (parsed.has('-c') && !same))
    await io.stdout.write(
      same
        ? `mode of ${quotedName(path)} retained as ${shown(mode)}\n`
        : `mode of ${quotedName(path)} changed from ${shown(status.mode & 0o777)} to ${shown(mode)}\n`,
    )
  if (!parsed.has('-R') || status.kind !== 'directory') return true
  let all = true
  for (const name of await io.files.list(path))
    if (!(await changed(io, parsed, change, joinedPath(path, name)))) all = false
  return all
}
