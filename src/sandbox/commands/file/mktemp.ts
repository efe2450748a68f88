// `mktemp`: creates a file or folder with a random name.

import { Failed, type Command, usage } from '../command.ts'
import { FileError } from '../io/files.ts'
import { parseOptions } from '../options.ts'
import { joinedPath } from './names.ts'

const OPTIONS = [
  { flags: '-d --directory' },
  { flags: '-u --dry-run' },
  { flags: '-q --quiet' },
  { flags: '-p', value: 'required' },
  { flags: '--tmpdir', value: 'optional' },
  { flags: '-t' },
  { flags: '--suffix', value: 'required' },
] as const
const TEMPLATE = 'tmp.XXXXXXXXXX'
/** Minimum number of consecutive `X` characters. */
const LEAST = 3

export const mktemp: Command = {
  async run(io) {
    const parsed = parseOptions('mktemp', io.args, OPTIONS)
    const [given, extra] = parsed.operands
    if (extra !== undefined) throw usage('mktemp', 'too many templates')
    const folder = parsed.value('-p') ?? parsed.value('--tmpdir')
    const based = given === undefined || folder !== undefined || parsed.has('-t')
    const template = given ?? TEMPLATE
    const suffix = parsed.value('--suffix')
    if (suffix !== undefined && !template.endsWith('X'))
      throw new Failed(`with --suffix, template ‘${template}’ must end in X`)
    const [, start = '', marks = '', end = ''] = /^(.*?)(X*)([^X]*)$/s.exec(template) ?? []
    if (marks.length < LEAST) throw new Failed(`too few X's in template ‘${template}’`)
    if ((suffix ?? end).includes('/'))
      throw new Failed(`invalid suffix ‘${suffix ?? end}’, contains directory separator`)
    if (based && template.startsWith('/'))
      throw new Failed(`invalid template, ‘${template}’; with --tmpdir, it may not be absolute`)
    let letters = ''
    while (letters.length < marks.length) letters += io.fresh()
    const base = folder === undefined || folder === '' ? (io.env['TMPDIR'] ?? '/tmp') : folder
    const name = `${start}${letters.slice(0, marks.length)}${end}${suffix ?? ''}`
    const path = based ? joinedPath(base, name) : name
    if (!parsed.has('-u'))
      try {
        await (parsed.has('-d') ? io.files.makeDirectory(path) : io.files.write(path, new Uint8Array()))
        await io.files.setMode(path, parsed.has('-d') ? 0o700 : 0o600)
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        if (parsed.has('-q')) return 1
        const full = `${based ? joinedPath(base, template) : template}${suffix ?? ''}`
        throw new Failed(
          `failed to create ${parsed.has('-d') ? 'directory' : 'file'} via template ‘${full}’: ${error.message}`,
        )
      }
    await io.stdout.write(`${path}\n`)
    return 0
  },
}
