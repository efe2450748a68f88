// `uname`, `id` and `whoami`: print fixed values, because the system is always the same.

import { Failed, type Command, usage } from '../command.ts'
import { parseOptions } from '../options.ts'

const UNAME_OPTIONS = [
  { flags: '-a --all' },
  { flags: '-s --kernel-name' },
  { flags: '-n --nodename' },
  { flags: '-r --kernel-release' },
  { flags: '-v --kernel-version' },
  { flags: '-m --machine' },
  { flags: '-p --processor' },
  { flags: '-i --hardware-platform' },
  { flags: '-o --operating-system' },
] as const

/** The values of `uname`, in the order in which they are printed. */
const SYSTEM: readonly (readonly [flag: string, name: string])[] = [
  ['-s', 'Linux'],
  ['-n', 'localhost'],
  ['-r', '6.0.0'],
  ['-v', '#1 SMP'],
  ['-m', 'x86_64'],
  ['-p', 'unknown'],
  ['-i', 'unknown'],
  ['-o', 'GNU/Linux'],
]

export const uname: Command = {
  async run(io) {
    const given = parseOptions('uname', io.args, UNAME_OPTIONS)
    noOperand('uname', given.operands)
    // `-a` omits unknown values.
    const isShown = (flag: string, name: string): boolean =>
      given.has(flag) || (given.has('-a') && name !== 'unknown')
    const names = SYSTEM.filter(([flag, name]) => isShown(flag, name)).map(([, name]) => name)
    await io.stdout.write(`${names.length === 0 ? 'Linux' : names.join(' ')}\n`)
    return 0
  },
}

/** `arch` is `uname -m`. */
export const arch: Command = {
  async run(io) {
    noOperand('arch', parseOptions('arch', io.args, []).operands)
    await io.stdout.write('x86_64\n')
    return 0
  },
}

/** Standard input is never a terminal. */
export const tty: Command = {
  async run(io) {
    const given = parseOptions('tty', io.args, [{ flags: '-s --silent --quiet' }], { usageExit: 2 })
    if (!given.has('-s')) await io.stdout.write('not a tty\n')
    return 1
  },
}

const USER = 'user'
const ID_OPTIONS = [
  { flags: '-a' },
  { flags: '-u --user' },
  { flags: '-g --group' },
  { flags: '-G --groups' },
  { flags: '-n --name' },
  { flags: '-r --real' },
  { flags: '-z --zero' },
  { flags: '-Z --context', refused: 'id' },
] as const

export const id: Command = {
  async run(io) {
    const given = parseOptions('id', io.args, ID_OPTIONS)
    const unknown = given.operands.find((name) => name !== USER && name !== '1000')
    if (unknown !== undefined) throw new Failed(`‘${unknown}’: no such user`)
    const wanted = ['-u', '-g', '-G'].filter((flag) => given.has(flag))
    if (wanted.length > 1) throw new Failed('cannot print "only" of more than one choice')
    if (wanted.length === 0 && (given.has('-n') || given.has('-r')))
      throw new Failed('cannot print only names or real IDs in default format')
    if (wanted.length === 0 && given.has('-z'))
      throw new Failed('option --zero not permitted in default format')
    const text =
      wanted.length === 0
        ? `uid=1000(${USER}) gid=1000(${USER}) groups=1000(${USER})`
        : given.has('-n')
          ? USER
          : '1000'
    await io.stdout.write(text + (given.has('-z') ? '\0' : '\n'))
    return 0
  },
}

export const whoami: Command = {
  async run(io) {
    noOperand('whoami', parseOptions('whoami', io.args, []).operands)
    await io.stdout.write(`${USER}\n`)
    return 0
  },
}

function noOperand(name: string, [extra]: readonly string[]): void {
  if (extra !== undefined) throw usage(name, `extra operand ‘${extra}’`)
}
