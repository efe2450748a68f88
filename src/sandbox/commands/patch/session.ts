// The state of one call of `patch`, and its output.

import { Failed, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import { bytesOfLatin1 } from '../io/latin1.ts'
import { within } from './names.ts'
import type { PatchOptions } from './options.ts'

const TROUBLE = 2

export class Session {
  readonly io: CommandIo
  readonly options: PatchOptions
  /** Whether a hunk was rejected. */
  failed = false
  readonly #backedUp = new Set<string>()
  readonly #rejected = new Set<string>()

  constructor(io: CommandIo, options: PatchOptions) {
    this.io = io
    this.options = options
  }

  /**
   * Writes a message, to standard error if the result goes to standard output. `bytes` means that the text is Latin-1.
   */
  async say(text: string, bytes = false): Promise<void> {
    const writer = this.options.output === '-' ? this.io.stderr : this.io.stdout
    await writer.write(bytes ? bytesOfLatin1(text) : text)
  }

  path(name: string): string {
    return within(this.options.folder, name)
  }

  /** Makes a backup of the original file, at most once. `content` is null if there was no file. */
  async backup(name: string, content: Uint8Array | null): Promise<void> {
    if (this.#backedUp.has(name)) return
    this.#backedUp.add(name)
    const path = this.path(this.options.backupName(name))
    await this.#makeFolder(path)
    await this.io.files.write(path, content ?? new Uint8Array())
  }

  async write(name: string, text: string): Promise<void> {
    this.#backedUp.add(name)
    const path = this.path(name)
    await this.#makeFolder(path)
    await this.io.files.write(path, bytesOfLatin1(text))
  }

  /** Writes the output file of `-o`. */
  async output(name: string, text: string): Promise<void> {
    if (name === '-') return this.io.stdout.write(bytesOfLatin1(text))
    try {
      await this.io.files.write(this.path(name), bytesOfLatin1(text))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      throw new Failed(`**** Can't create file ${shownName(name)} : ${error.message}`, TROUBLE)
    }
  }

  /** Removes a file, and the folders that become empty. */
  async remove(name: string): Promise<void> {
    const { files } = this.io
    await files.remove(this.path(name))
    for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      const folder = this.path(name.slice(0, slash))
      if ((await files.list(folder)).length > 0) return
      await files.remove(folder)
    }
  }

  /** Writes rejected hunks. With `-r`, those of several patches go to one file. */
  async reject(name: string, text: string): Promise<void> {
    const path = this.path(name)
    const isMore = this.#rejected.has(name)
    this.#rejected.add(name)
    const before = isMore ? await this.io.files.read(path) : new Uint8Array()
    const bytes = bytesOfLatin1(text)
    const all = new Uint8Array(before.length + bytes.length)
    all.set(before)
    all.set(bytes, before.length)
    await this.io.files.write(path, all)
  }

  async #makeFolder(path: string): Promise<void> {
    const slash = path.lastIndexOf('/')
    if (slash > 0) await this.io.files.makeDirectory(path.slice(0, slash), { parents: true })
  }
}

/** Quotes a name in a message as for a shell. */
export function shownName(name: string): string {
  return /^[\w@%+=:,./^~-]+$/.test(name) || /^[^\0-\x7f]/.test(name)
    ? name
    : `'${name.replaceAll("'", String.raw`'\''`)}'`
}
