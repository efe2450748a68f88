// `basename` and `dirname`: print parts of paths.

import { type Command, usage } from '../command.ts'
import { parseOptions } from '../options.ts'
import { baseName, folderName } from './names.ts'

export const basename: Command = {
  async run(io) {
    const parsed = parseOptions(
      'basename',
      io.args,
      [{ flags: '-a --multiple' }, { flags: '-s --suffix', value: 'required' }, { flags: '-z --zero' }],
      { operandsLast: true },
    )
    const [first, second, third] = parsed.operands
    if (first === undefined) throw usage('basename', 'missing operand')
    const several = parsed.has('-a') || parsed.has('-s')
    if (!several && third !== undefined) throw usage('basename', `extra operand ‘${third}’`)
    const suffix = parsed.value('-s') ?? (several ? '' : (second ?? ''))
    for (const path of several ? parsed.operands : [first]) {
      const name = baseName(path)
      const cut =
        suffix !== '' && name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name
      await io.stdout.write(cut + (parsed.has('-z') ? '\0' : '\n'))
    }
    return 0
  },
}

export const dirname: Command = {
  async run(io) {
    const parsed = parseOptions('dirname', io.args, [{ flags: '-z --zero' }])
    if (parsed.operands.length === 0) throw usage('dirname', 'missing operand')
    for (const path of parsed.operands)
      await io.stdout.write(folderName(path) + (parsed.has('-z') ? '\0' : '\n'))
    return 0
  },
}
