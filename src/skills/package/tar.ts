// Extracts the files of a tar from a stream. Refuses links, devices and ambiguous names.

import type { ParsedTarEntry } from 'modern-tar'
import { utf8 } from '../../lib/bytes.ts'
import { err } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { ARCHIVE_ENTRIES_MAX } from './limits.ts'
import { damaged, archiveIntake } from './archive-intake.ts'
import { fileKindRefusal } from './member-kind.ts'
import type { FileMap } from './skill-folder.ts'
import { tarHeaders, TarRefusal } from './tar-headers.ts'

/**
 * Passes each member to `visit` and stops at the first result that is not null, which it returns; null after all
 * members. Rejects, usually with a TarRefusal, if the tar is invalid or has more than `headersMax` headers.
 */
export async function walkTar<T>(
  tar: ReadableStream<Uint8Array>,
  headersMax: number,
  visit: (member: ParsedTarEntry) => Promise<T | null>,
): Promise<T | null> {
  // Few requests have a tar, and an isolate starts faster without its code.
  const { createTarDecoder } = await import('modern-tar')
  const members = tar.pipeThrough(tarHeaders(headersMax)).pipeThrough(createTarDecoder({ strict: true }))
  for await (const member of members) {
    const result = await visit(member)
    if (result !== null) return result
    // An unread body would block the next member. It is not cancelled, because the decoder reads ahead, and cancelling
    // one body could drop the bytes of a later one.
    if (!member.body.locked) for await (const _ of member.body);
  }
  return null
}

/** The files of one skill. Failures: `too_large`, `invalid_archive` (with `errors` by member). */
export async function untar(tar: ReadableStream<Uint8Array>): Promise<Result<FileMap>> {
  const intake = archiveIntake()
  try {
    await walkTar(tar, ARCHIVE_ENTRIES_MAX, async ({ header, body }) => {
      const folder = header.type === 'directory'
      const refusal = refusalOf(header)
      const path = intake.announce({ name: utf8(header.name), folder, size: header.size }, refusal)
      // Nothing after a refused member can be trusted.
      if (intake.isFull() || refusal !== null) return 'refused'
      if (path !== null) intake.addFile(path, await contentOf(body, header.size))
      return null
    })
  } catch (error) {
    const failure =
      error instanceof TarRefusal ? error.failure : damaged('The tar is damaged. Pack it again.')
    return err(intake.refusal() ?? failure)
  }
  const refused = intake.refusal()
  return refused ? err(refused) : intake.files()
}

/** Reads the content of a member, whose declared size has been checked against the limits. */
async function contentOf(body: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size)
  let offset = 0
  for await (const piece of body) {
    content.set(piece, offset)
    offset += piece.length
  }
  return content
}

function refusalOf({ type, name, mode, pax = {} }: ParsedTarEntry['header']): string | null {
  if (type === 'link' || type === 'symlink' || pax['linkpath'] !== undefined)
    return 'It is a link. Pack its target instead.'
  if (type !== 'file' && type !== 'directory') return 'It is a device or a pipe.'
  // The decoder replaces bytes that are not UTF-8 with this character.
  if (name.includes('\uFFFD') || pax['hdrcharset'] !== undefined) return 'Its name is not UTF-8.'
  return fileKindRefusal(mode ?? 0, type === 'directory')
}
