// Reads a tar as its bytes come, keeping only the files' own bytes. Links, devices and what hides names are refused.

import { err } from '../../lib/result.ts'
import type { Failure, Result } from '../../lib/result.ts'
import { TAR_META_MAX_BYTES } from '../../limits.ts'
import { damaged, intake } from './archive-intake.ts'
import { fileKindRefusal } from './member-kind.ts'
import type { FileMap } from './skill-folder.ts'
import { paxRecords, tarHeader, type TarHeader } from './tar-header.ts'

export interface TarReader {
  /** Takes the next bytes; false: it wants no more, `end` says why. */
  push(piece: Uint8Array): boolean
  /** Failures: `too_large`, `invalid_archive` (with `errors` by member). */
  end(): Result<FileMap>
}

const BLOCK = 512
const SLASH = 47
const REFUSED_KINDS: Readonly<Record<string, string>> = {
  1: 'It is a link. Pack the file that it leads to.',
  2: 'It is a link. Pack the file that it leads to.',
  3: 'It is a device or a pipe.',
  4: 'It is a device or a pipe.',
  6: 'It is a device or a pipe.',
  S: 'It is a sparse file. Pack it without --sparse.',
}

/** What the members before it said of the next one. */
interface Ahead {
  readonly path: Uint8Array | null
  readonly size: number | null
  readonly refusal: string | null
}

const NOTHING: Ahead = { path: null, size: null, refusal: null }

/** Bytes that are being gathered, and what is done when they are whole. */
interface Goal {
  readonly into: Uint8Array<ArrayBuffer> | null
  readonly size: number
  readonly whole: () => void
}

export function tarReader(): TarReader {
  const into = intake()
  const block = new Uint8Array(BLOCK)
  let broken: Failure | null = null
  let ahead = NOTHING
  let ended = false
  let got = 0
  const header: Goal = { into: block, size: BLOCK, whole: readHeader }
  let goal = header

  function become(next: Goal): void {
    goal = next
    got = 0
    if (next.size === 0) next.whole()
  }

  /** Content, then the zeros that fill its last block. */
  function content(size: number, kept: Uint8Array<ArrayBuffer> | null, whole: () => void): void {
    const padding = { into: null, size: -size & (BLOCK - 1), whole: () => become(header) }
    become({
      into: kept,
      size,
      whole() {
        whole()
        become(padding)
      },
    })
  }

  function readHeader(): void {
    if (ended || block.every((byte) => byte === 0)) {
      if (ended && block.some((byte) => byte !== 0))
        broken = damaged('The tar has something behind its end. Pack the skill again, into a new file.')
      ended = true
      become(header)
      return
    }
    const read = tarHeader(block)
    if (!read.ok) broken = damaged(`${read.error} Pack the skill again.`)
    else if ('xgL'.includes(read.value.kind)) meta(read.value)
    else member(read.value)
  }

  function meta({ kind, size }: TarHeader): void {
    if (size > TAR_META_MAX_BYTES || (ahead !== NOTHING && kind !== 'g')) {
      broken = damaged('The tar says more of a member than it needs. Pack the skill again, as ustar.')
      return
    }
    const bytes = new Uint8Array(size)
    content(size, bytes, () => {
      if (kind === 'L') {
        ahead = { ...NOTHING, path: bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes }
        return
      }
      const said = paxRecords(bytes)
      if (kind === 'x')
        ahead = said.ok ? { ...said.value, refusal: null } : { ...NOTHING, refusal: said.error }
      else if (!said.ok || said.value.path || said.value.size !== null)
        broken = damaged(
          'The tar has pax records that hold for all its members. Pack the skill again, as ustar.',
        )
    })
  }

  function member({ name, mode, size, kind }: TarHeader): void {
    const said = ahead
    const path = said.path ?? name
    ahead = NOTHING
    const folder = kind === '5' || (kind === '0' && path.at(-1) === SLASH)
    const refusal =
      said.refusal ??
      (kind === '0' || kind === '5' ? null : (REFUSED_KINDS[kind] ?? 'It is neither a file nor a folder.')) ??
      (folder && size !== 0 ? 'It is a folder with content.' : null) ??
      (said.size !== null && said.size !== size ? 'It has two sizes.' : null) ??
      fileKindRefusal(mode, folder)
    const kept = into.announce({ name: path, folder, size }, refusal)
    // Readers differ in whether a link with a size has content: nothing behind a refused kind can be trusted.
    if (into.full() || refusal !== null) {
      broken = into.refused()
      return
    }
    const bytes = kept === null ? null : new Uint8Array(size)
    content(size, bytes, () => {
      if (kept !== null && bytes) into.keep(kept, bytes)
    })
  }

  return {
    push(piece) {
      let at = 0
      while (broken === null && at < piece.length) {
        const some = Math.min(goal.size - got, piece.length - at)
        goal.into?.set(piece.subarray(at, at + some), got)
        got += some
        at += some
        if (got === goal.size) goal.whole()
      }
      return broken === null
    },
    end() {
      const failure = broken ?? into.refused()
      if (failure) return err(failure)
      if (!ended || goal !== header || got !== 0 || ahead !== NOTHING)
        return err(damaged('The tar breaks off. Send the whole file.'))
      return into.files()
    },
  }
}
