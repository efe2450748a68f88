// `patch`: applies diffs to files.

import { Failed, Unsupported, type Command, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1, latin1Of } from '../io/latin1.ts'
import { readAll } from '../io/reader.ts'
import { decode } from '../io/text.ts'
import { nextHeader, NO_CHANGES, type FileHeader } from './headers.ts'
import { fileOf, within, withStrippedNames } from './names.ts'
import { patchOptions, type PatchOptions } from './options.ts'
import { patchFile } from './patch-file.ts'
import { nextHunk, type PatchText } from './read-hunks.ts'
import { Session } from './session.ts'

const TROUBLE = 2

export const patch: Command = {
  async run(io) {
    const options = patchOptions(io.args)
    if (options.folder !== '' && (await io.files.stat(options.folder))?.kind !== 'directory')
      throw new Failed(
        `**** Can't change to directory ${options.folder} : No such file or directory`,
        TROUBLE,
      )
    const session = new Session(io, options)
    // Create the output file first, because it exists even if the patch fails.
    if (options.output !== null) await session.output(options.output, '')
    const text = await patchText(io, options)
    let found = 0
    for (;;) {
      const header = nextHeader(text, options.format)
      if (!header) break
      // Without a file name, line numbers like those of a normal diff are not taken for a patch.
      if (header.format === 'normal' && options.file === null && header.index === null) {
        text.at++
        continue
      }
      if (++found > 1 && options.output !== null)
        throw new Unsupported(
          'patch -o with a patch of several files',
          'patch FILE PATCH for each, or -d with a copy',
        )
      await one(session, text, header)
    }
    if (text.lines.length === 0 && options.file !== null && options.output !== null)
      await patchFile(session, text, NO_CHANGES, options.file)
    if (found === 0 && text.lines.length > 0) {
      await io.stdout.flush()
      throw new Failed('**** Only garbage was found in the patch input.', TROUBLE)
    }
    return session.failed ? 1 : 0
  },
}

async function patchText(io: CommandIo, { input, folder }: PatchOptions): Promise<PatchText> {
  let bytes: Uint8Array
  try {
    bytes = input === '-' ? await readAll(io.stdin) : await io.files.read(within(folder, input))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new Failed(`**** Can't open patch file ${input} : ${error.message}`, TROUBLE)
  }
  const lines = latin1Of(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? []
  return { lines, at: 0, uncounted: 0 }
}

async function one(session: Session, text: PatchText, raw: FileHeader): Promise<void> {
  const { options } = session
  // File names are text; everything else is handled as bytes.
  const named = ({ name, ...rest }: FileHeader['old']): FileHeader['old'] => ({
    ...rest,
    name: name === null ? null : decode(bytesOfLatin1(name)),
  })
  const header = withStrippedNames({ ...raw, old: named(raw.old), new: named(raw.new) }, options.strip)
  const first = raw.format === 'normal' ? (text.lines[text.at] ?? '') : ''
  const returns = [...raw.lead, first].some((line) =>
    /^(?:---|\+\+\+|\*\*\*|diff|Index:|\d).*\r\n$/.test(line),
  )
  if (returns && !options.binary) {
    if (!options.silent) await session.say('(Stripping trailing CRs from patch; use --binary to disable.)\n')
    const lines = text.lines.map((line, at) => (at < text.at ? line : line.replace(/\r\n$/, '\n')))
    await run(session, { ...text, lines }, header, text)
    return
  }
  await run(session, text, header, text)
}

async function run(session: Session, lines: PatchText, header: FileHeader, text: PatchText): Promise<void> {
  const { options } = session
  const name = options.file ?? (await fileOf(session.io, header, options))
  if (name === null) await skip(session, lines, header)
  else await patchFile(session, lines, header, name)
  text.at = lines.at
  text.uncounted = lines.uncounted
}

/** Skips a file that does not exist, because there is no user to ask for another. */
async function skip(session: Session, text: PatchText, header: FileHeader): Promise<void> {
  const { options } = session
  const advice = `Perhaps you ${options.strip === null ? 'should have used the -p or' : 'used the wrong -p or'} --strip option?`
  const shown =
    header.lead.length === 0
      ? ''
      : `The text leading up to this was:\n--------------------------\n${header.lead.map((line) => `|${line}`).join('')}--------------------------\n`
  if (!options.silent) await session.say(`can't find file to patch at input line ${header.line}\n${advice}\n`)
  await session.say(shown, true)
  if (options.force || options.batch) await session.say('No file to patch.  Skipping patch.\n')
  else
    await session.say(`File to patch: \nSkip this patch? [y] \n${options.silent ? '' : 'Skipping patch.\n'}`)
  let count = 0
  while (nextHunk(text, header.format)) count++
  await session.say(`${count} out of ${count} hunk${count === 1 ? '' : 's'} ignored\n`)
  session.failed = true
}
