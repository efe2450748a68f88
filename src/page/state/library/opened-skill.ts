// The skill named in the address: its text, its list of files, and the file being viewed.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { skill as readSkill, skillFile, type SkillDetail, type Whom } from '../../../client/skills.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import { trouble, type Trouble } from '../../lib/failure.ts'
import { PREVIEW_BYTES } from '../../lib/limits.ts'

interface LookedAt {
  readonly path: string
  /** Null if the file is not text or is too long to show. */
  readonly text: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface OpenedSkill {
  readonly skill: ReadonlySignal<SkillDetail | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  readonly file: ReadonlySignal<LookedAt | null>
  readonly fileTrouble: ReadonlySignal<Trouble | null>
  /** The path of the file being fetched, or null. */
  readonly fetching: ReadonlySignal<string | null>
  open(name: string): Promise<void>
  lookAt(path: string): Promise<void>
  readonly closeFile: () => void
}

/** The views of the catalog in which the skill is looked up, in this order. */
const VIEWS: readonly Whom[] = ['model', 'person', 'publisher']

export function createOpenedSkill(client: ReadonlySignal<Client | null>): OpenedSkill {
  const skill = signal<SkillDetail | null>(null)
  const failed = signal<Trouble | null>(null)
  const file = signal<LookedAt | null>(null)
  const fileFailed = signal<Trouble | null>(null)
  const fetching = signal<string | null>(null)
  let view: Whom = 'model'
  let name = ''

  function closeFile(): void {
    file.value = null
    fileFailed.value = null
    fetching.value = null
  }

  // After signing out, clear everything: another account may have different permissions.
  effect(() => {
    if (client.value) return
    untracked(() => {
      name = ''
      skill.value = null
      failed.value = null
      closeFile()
    })
  })

  async function firstView(by: Client, wanted: string): Promise<Result<SkillDetail, ClientFailure>> {
    let first: Result<SkillDetail, ClientFailure> | null = null
    for (const one of VIEWS) {
      const answer = await readSkill(by, wanted, one)
      if (answer.ok) {
        view = one
        return answer
      }
      first ??= answer
      if (answer.error.kind !== 'problem' || answer.error.problem.status !== 404) break
    }
    // Report the error of the first view, which most users need.
    return first ?? { ok: false, error: { kind: 'left', detail: '' } }
  }

  return {
    skill,
    trouble: failed,
    file,
    fileTrouble: fileFailed,
    fetching,
    async open(wanted) {
      const by = client.peek()
      if (!by) return
      name = wanted
      if (skill.peek()?.name !== wanted) skill.value = null
      failed.value = null
      closeFile()
      const found = await firstView(by, wanted)
      if (name !== wanted || by !== client.peek()) return
      if (found.ok) skill.value = found.value
      else failed.value = trouble(`The skill “${wanted}” could not be shown`, found.error)
    },
    async lookAt(path) {
      const by = client.peek()
      const of = skill.peek()
      if (!by || !of) return
      closeFile()
      fetching.value = path
      const got = await skillFile(by, of.name, path, view)
      if (fetching.peek() !== path) return
      fetching.value = null
      if (got.ok) file.value = { path, text: textOf(got.value), bytes: got.value }
      else fileFailed.value = trouble(`“${path}” could not be read`, got.error)
    },
    closeFile,
  }
}

function textOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  if (bytes.byteLength > PREVIEW_BYTES) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
