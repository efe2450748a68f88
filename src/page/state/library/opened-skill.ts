// The skill named in the address: its text, its list of files, and the file being viewed.

import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { readSkill, readSkillFile, type SkillDetail, type SkillView } from '../../../client/skills.ts'
import type { ClientFailure } from '../../../client/types.ts'
import type { Result } from '../../../lib/result.ts'
import { describeFailure, type Trouble } from '../../lib/failure.ts'
import { PREVIEW_MAX_BYTES } from '../../lib/limits.ts'

interface ViewedFile {
  readonly path: string
  /** Null if the file is not text or is too long to show. */
  readonly text: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface OpenedSkill {
  readonly skill: ReadonlySignal<SkillDetail | null>
  readonly trouble: ReadonlySignal<Trouble | null>
  readonly file: ReadonlySignal<ViewedFile | null>
  readonly fileTrouble: ReadonlySignal<Trouble | null>
  /** The path of the file being fetched, or null. */
  readonly fetchedPath: ReadonlySignal<string | null>
  open(name: string): Promise<void>
  openFile(path: string): Promise<void>
  readonly closeFile: () => void
}

/** The views of the catalog in which the skill is looked up, in this order. */
const CATALOG_VIEWS: readonly SkillView[] = ['model', 'person', 'publisher']

export function createOpenedSkill(client: ReadonlySignal<Client | null>): OpenedSkill {
  const skill = signal<SkillDetail | null>(null)
  const trouble = signal<Trouble | null>(null)
  const file = signal<ViewedFile | null>(null)
  const fileTrouble = signal<Trouble | null>(null)
  const fetchedPath = signal<string | null>(null)
  let view: SkillView = 'model'
  let name = ''

  function closeFile(): void {
    file.value = null
    fileTrouble.value = null
    fetchedPath.value = null
  }

  // After signing out, clear everything: another account may have different permissions.
  effect(() => {
    if (client.value) return
    untracked(() => {
      name = ''
      skill.value = null
      trouble.value = null
      closeFile()
    })
  })

  async function readFromFirstView(
    activeClient: Client,
    skillName: string,
  ): Promise<Result<SkillDetail, ClientFailure>> {
    let firstFailure: Result<SkillDetail, ClientFailure> | null = null
    for (const candidate of CATALOG_VIEWS) {
      const attempt = await readSkill(activeClient, skillName, candidate)
      if (attempt.ok) {
        view = candidate
        return attempt
      }
      firstFailure ??= attempt
      if (attempt.error.kind !== 'problem' || attempt.error.problem.status !== 404) break
    }
    // Report the error of the first view, which most users need.
    return firstFailure ?? { ok: false, error: { kind: 'left', detail: '' } }
  }

  return {
    skill,
    trouble,
    file,
    fileTrouble,
    fetchedPath,
    async open(skillName) {
      const activeClient = client.peek()
      if (!activeClient) return
      name = skillName
      if (skill.peek()?.name !== skillName) skill.value = null
      trouble.value = null
      closeFile()
      const result = await readFromFirstView(activeClient, skillName)
      if (name !== skillName || activeClient !== client.peek()) return
      if (result.ok) skill.value = result.value
      else trouble.value = describeFailure(`The skill “${skillName}” could not be shown`, result.error)
    },
    async openFile(path) {
      const activeClient = client.peek()
      const openSkill = skill.peek()
      if (!activeClient || !openSkill) return
      closeFile()
      fetchedPath.value = path
      const result = await readSkillFile(activeClient, openSkill.name, path, view)
      if (fetchedPath.peek() !== path) return
      fetchedPath.value = null
      if (result.ok) file.value = { path, text: textOf(result.value), bytes: result.value }
      else fileTrouble.value = describeFailure(`“${path}” could not be read`, result.error)
    },
    closeFile,
  }
}

function textOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  if (bytes.byteLength > PREVIEW_MAX_BYTES) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
