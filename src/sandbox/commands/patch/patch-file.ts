// Applies the hunks of one file, and reports where they fit.

import { Failed, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { latin1Of, latin1OfText } from '../io/latin1.ts'
import { Target } from './apply.ts'
import type { FileHeader } from './headers.ts'
import { reversed, type Hunk } from './hunk.ts'
import { nextHunk, type PatchText } from './read-hunks.ts'
import { contextReject, rejectHeader, unifiedReject } from './rejects.ts'
import { shownName, type Session } from './session.ts'

const TROUBLE = 2

export async function patchFile(
  session: Session,
  text: PatchText,
  header: FileHeader,
  name: string,
): Promise<void> {
  await new FilePatch(session, text, header, name).run()
}

class FilePatch {
  readonly #session: Session
  readonly #text: PatchText
  readonly #header: FileHeader
  readonly #name: string
  #reverse: boolean
  /** Whether to skip the rest of the patch. */
  #skips = false
  /** Whether to apply hunks that seem to be applied already. */
  #insists = false
  #isMismatch = false
  #count = 0
  #failed = 0
  #rejects = ''

  constructor(session: Session, text: PatchText, header: FileHeader, name: string) {
    this.#session = session
    this.#text = text
    this.#header = header
    this.#name = name
    this.#reverse = session.options.reverse
  }

  async run(): Promise<void> {
    const session = this.#session
    const { options } = session
    const before = await contentOf(session.io, session.path(this.#name))
    await this.#maybeReverse(before)
    const wasSkipped = this.#skips
    const outName = options.output ?? this.#name
    if (!this.#skips && !options.silent) {
      const from = outName === this.#name ? '' : ` (read from ${shownName(this.#name)})`
      await session.say(`${options.dryRun ? 'checking' : 'patching'} file ${shownName(outName)}${from}\n`)
    }
    const content = latin1Of(before ?? new Uint8Array())
    const target = new Target(content.match(/[^\n]*\n|[^\n]+$/g) ?? [], options.ignoresBlanks)
    for (let hunk = await this.#next(); hunk; hunk = await this.#next())
      await this.#hunk(target, hunk, content !== '')
    if (!this.#skips)
      await (options.output === null
        ? this.#replace(target.end(), before)
        : session.output(options.output, target.end()))
    await this.#report(outName, !wasSkipped)
  }

  async #next(): Promise<Hunk | null> {
    const text = this.#text
    const wasOpen = text.at < text.lines.length
    try {
      return nextHunk(text, this.#header.format)
    } finally {
      if (wasOpen && text.at >= text.lines.length && !text.lines.at(-1)?.endsWith('\n'))
        await this.#session.say('patch unexpectedly ends in middle of line\n')
    }
  }

  /** Handles a patch that creates an existing file, or removes a missing one. */
  async #maybeReverse(before: Uint8Array | null): Promise<void> {
    const { oldMissing, newMissing } = this.#header
    const says = [oldMissing, newMissing]
    const isEmpty = before === null || before.length === 0
    const side = (flag: boolean): 0 | 1 | 2 => says[Number(flag)] ?? 0
    const reverse = this.#reverse
    if (isEmpty && side(reverse !== (before === null)) === 1 && side(!reverse !== (before === null)) === 2)
      return
    if (Number(!isEmpty) >= side(reverse !== isEmpty)) return
    const does = before === null ? 'delete' : isEmpty ? 'empty out' : 'create'
    const state = before === null ? 'does not exist' : isEmpty ? 'is already empty' : 'already exists'
    const when = reverse ? ', when reversed,' : ''
    const swaps = await this.#asks(
      `The next patch${when} would ${does} the file ${shownName(this.#name)},\nwhich ${state}!`,
    )
    if (swaps) this.#reverse = !this.#reverse
  }

  /** Answers the question that GNU patch would ask, because there is no user. Returns whether to reverse the patch. */
  async #asks(message: string): Promise<boolean> {
    const { options } = this.#session
    const say = async (text: string): Promise<void> => this.#session.say(text)
    if (options.forward || !(options.force && options.silent)) await say(message)
    if (options.forward) {
      await say('  Skipping patch.\n')
      this.#skips = true
      return false
    }
    if (options.force) {
      if (!options.silent) await say('  Applying it anyway.\n')
      return false
    }
    if (options.batch) {
      await say(this.#reverse ? '  Ignoring -R.\n' : '  Assuming -R.\n')
      return true
    }
    await say(`  ${this.#reverse ? 'Ignore' : 'Assume'} -R? [n] \nApply anyway? [n] \n`)
    if (!options.silent) await say('Skipping patch.\n')
    this.#skips = true
    return false
  }

  async #hunk(target: Target, given: Hunk, hasContent: boolean): Promise<void> {
    const { options } = this.#session
    this.#count++
    const oriented = (): Hunk => (this.#reverse ? reversed(given) : given)
    const most = Math.min(options.fuzz, Math.max(given.prefix, given.suffix))
    let where = 0
    let fuzz = 0
    while (!this.#skips) {
      where = target.locate(oriented(), fuzz)
      if (where === 0 || fuzz > 0 || target.offset !== 0) this.#isMismatch = true
      const dwims = this.#count === 1 && where === 0 && !options.force && !this.#insists
      if (dwims && this.#reverse === options.reverse) {
        const swapped = this.#reverse ? given : reversed(given)
        where = target.locate(swapped, fuzz)
        if (where !== 0) {
          const kind = this.#reverse ? 'Unreversed' : 'Reversed (or previously applied)'
          if (await this.#asks(`${kind} patch detected!`)) this.#reverse = !this.#reverse
          else {
            this.#insists = true
            fuzz--
            where = 0
          }
        }
      }
      if (where !== 0 || ++fuzz > most) break
    }
    const hunk = oriented()
    const at = (where || hunk.first) + target.growth
    const missing = this.#reverse ? this.#header.newMissing : this.#header.oldMissing
    if (
      this.#skips ||
      where === 0 ||
      (where === 1 && missing === 2 && hasContent) ||
      !target.apply(hunk, where)
    ) {
      this.#reject(hunk, target.growth)
      this.#failed++
      if (!this.#skips && !options.silent)
        await this.#session.say(
          `Hunk #${this.#count} FAILED at ${at}${target.endsOtherwise(hunk, at) ? ' (different line endings)' : ''}.\n`,
        )
      return
    }
    const { offset } = target
    if (options.silent || (fuzz === 0 && offset === 0)) return
    const shown = offset === 0 ? '' : ` (offset ${offset} line${offset === 1 ? '' : 's'})`
    await this.#session.say(
      `Hunk #${this.#count} succeeded at ${at}${fuzz === 0 ? '' : ` with fuzz ${fuzz}`}${shown}.\n`,
    )
  }

  #reject(hunk: Hunk, growth: number): void {
    const { format, old, new: fresh } = this.#header
    const header = this.#reverse ? { ...this.#header, old: fresh, new: old } : this.#header
    const asText = { ...header, old: latin1Name(header.old), new: latin1Name(header.new) }
    const isUnified =
      (this.#session.options.rejectFormat ?? (format === 'unified' ? 'unified' : 'context')) === 'unified'
    if (this.#failed === 0) this.#rejects += rejectHeader(asText, isUnified ? ['---', '+++'] : ['***', '---'])
    this.#rejects += isUnified
      ? unifiedReject(hunk, growth)
      : contextReject(hunk, growth, format === 'unified' || this.#header.isNewStyle)
  }

  async #replace(result: string, before: Uint8Array | null): Promise<void> {
    const session = this.#session
    const { options } = session
    const name = this.#name
    const missing = this.#reverse ? this.#header.oldMissing : this.#header.newMissing
    const backs =
      options.backup === 'always' || (options.backup === 'mismatch' && (this.#isMismatch || this.#failed > 0))
    const removes = result === '' && (options.removesEmpty || missing === 2)
    if (result !== '' && missing === 2) {
      session.failed = true
      if (!options.silent)
        await session.say(`Not deleting file ${shownName(name)} as content differs from patch\n`)
    }
    if (options.dryRun) return
    if (backs) await session.backup(name, before)
    if (removes) {
      if (before !== null) await session.remove(name)
      return
    }
    if (this.#failed < this.#count) return session.write(name, result)
    // No hunk fits, so nothing is written. GNU patch creates the backup of a missing file and then ends.
    if (!backs || before !== null) return
    await session.io.stdout.flush()
    throw new Failed(`**** Can't reopen file ${shownName(name)} : No such file or directory`, TROUBLE)
  }

  async #report(outName: string, keeps: boolean): Promise<void> {
    if (this.#failed === 0) return
    const session = this.#session
    const { options } = session
    session.failed = true
    const what = this.#skips ? 'ignored' : 'FAILED'
    const counts = `${this.#failed} out of ${this.#count} hunk${this.#count === 1 ? '' : 's'} ${what}`
    const file = options.rejects ?? `${outName}.rej`
    if (file === '-' || options.dryRun || !keeps) return session.say(`${counts}\n`)
    await session.say(`${counts} -- saving rejects to file ${shownName(file)}\n`)
    await session.reject(file, this.#rejects)
  }
}

function latin1Name(side: FileHeader['old']): FileHeader['old'] {
  return { ...side, name: side.name === null ? null : latin1OfText(side.name) }
}

/** The content of a file; null if it does not exist. */
async function contentOf(io: CommandIo, path: string): Promise<Uint8Array | null> {
  const status = await io.files.stat(path)
  if (!status) return null
  if (status.kind === 'directory') throw new Failed(`**** File ${path} is not a regular file`, TROUBLE)
  try {
    return await io.files.read(path)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new Failed(`**** Can't open file ${path} : ${error.message}`, TROUBLE)
  }
}
