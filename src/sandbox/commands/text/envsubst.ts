// `envsubst`: replaces `$NAME` and `${NAME}` with exported variables.

import { Failed, Unsupported, type Command } from '../command.ts'
import { decode, encode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions } from '../options.ts'

const OPTIONS = [{ flags: '-v --variables' }] as const
const VARIABLE = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/g

export const envsubst: Command = {
  async run(io) {
    const given = parseOptions('envsubst', io.args, OPTIONS)
    const [format, extra] = given.operands
    if (extra !== undefined) throw new Failed('too many arguments')
    if (given.has('-v')) {
      if (format === undefined) throw new Failed('missing arguments')
      for (const [, bare, braced] of format.matchAll(VARIABLE))
        await io.stdout.write(`${bare ?? braced ?? ''}\n`)
      return 0
    }
    const wanted =
      format === undefined
        ? null
        : new Set([...format.matchAll(VARIABLE)].map(([, bare, braced]) => bare ?? braced ?? ''))
    const text = decode(await readAll(io.stdin))
    if (text.includes('\0')) throw new Unsupported('envsubst of NUL bytes', 'sed or python3')
    const filled = text.replaceAll(VARIABLE, (all, bare: string | undefined, braced: string | undefined) => {
      const name = bare ?? braced ?? ''
      if (wanted && !wanted.has(name)) return all
      return Object.hasOwn(io.env, name) ? (io.env[name] ?? '') : ''
    })
    await io.stdout.write(encode(filled))
    return 0
  },
}
