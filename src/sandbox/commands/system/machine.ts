// `nproc`, `hostname`, `sync` and `which`.

import { Failed, type Command, usage } from '../command.ts'
import { parseOptions } from '../options.ts'

export const nproc: Command = {
  async run(io) {
    const given = parseOptions('nproc', io.args, [
      { flags: '--all' },
      { flags: '--ignore', value: 'required' },
    ])
    if (given.operands.length > 0) throw usage('nproc', `extra operand ‘${given.operands[0] ?? ''}’`)
    const ignored = given.value('--ignore') ?? '0'
    if (!/^\d+$/.test(ignored)) throw new Failed(`invalid number: ‘${ignored}’`)
    await io.stdout.write('1\n')
    return 0
  },
}

const NAME_OPTIONS = [{ flags: '-s --short' }, { flags: '-f --fqdn --long' }] as const

export const hostname: Command = {
  async run(io) {
    const given = parseOptions('hostname', io.args, NAME_OPTIONS, { usageExit: 255 })
    if (given.operands.length > 0) throw new Failed('you must be root to change the host name')
    await io.stdout.write('localhost\n')
    return 0
  },
}

/** Does nothing: files are stored when the call ends. */
export const sync: Command = {
  async run(io) {
    const given = parseOptions('sync', io.args, [{ flags: '-d --data' }, { flags: '-f --file-system' }])
    let exitCode = 0
    for (const path of given.operands)
      if (!(await io.files.stat(path))) {
        await io.stderr.write(`sync: error opening '${path}': No such file or directory\n`)
        exitCode = 1
      }
    return exitCode
  },
}

export const which: Command = {
  async run(io) {
    const given = parseOptions('which', io.args, [{ flags: '-a' }, { flags: '-s' }], { usageExit: 2 })
    let exitCode = given.operands.length === 0 ? 1 : 0
    for (const name of given.operands) {
      const paths = await pathsOf(name, io)
      if (paths.length === 0) exitCode = 1
      else if (!given.has('-s'))
        for (const path of given.has('-a') ? paths : paths.slice(0, 1)) await io.stdout.write(`${path}\n`)
    }
    return exitCode
  },
}

async function pathsOf(name: string, { env, files }: Parameters<Command['run']>[0]): Promise<string[]> {
  const candidates = name.includes('/')
    ? [name]
    : (env['PATH'] ?? '/usr/bin:/bin').split(':').map((folder) => `${folder === '' ? '.' : folder}/${name}`)
  const found: string[] = []
  for (const path of candidates) {
    const status = await files.stat(path)
    if (status?.kind === 'file' && (status.mode & 0o111) !== 0) found.push(path)
  }
  return found
}
