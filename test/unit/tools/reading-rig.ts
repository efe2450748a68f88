// Calls the reading tools over files in memory and skills that a test names.

import type { ToolResult } from '../../../src/agent/tool.ts'
import type { DocumentReader } from '../../../src/files/documents/document.ts'
import { utf8 } from '../../../src/lib/bytes.ts'
import { err, ok } from '../../../src/lib/result.ts'
import type { SkillAccess } from '../../../src/skills/view/access.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { FakeFiles } from '../../fakes/files.ts'
import { entry } from '../skills/store/entries.ts'
import { toolContext } from '../../fakes/tool-context.ts'

/** Skills with their files; all are visible. `active`: the followed ones. */
export function skillsWith(
  all: Readonly<Record<string, Readonly<Record<string, string>>>>,
  active: readonly string[] = [],
): SkillAccess {
  const list = Object.keys(all).map((name) => entry(name))
  const find = (name: string): (typeof list)[number] | undefined => list.find((skill) => skill.name === name)
  const none = err('There is no such skill.')
  return {
    list: () => list,
    find,
    off: () => null,
    active: () => list.filter(({ name }) => active.includes(name)),
    load: async () => none,
    async files(name) {
      const skill = find(name)
      const files = Object.keys(all[name] ?? {}).map((path) => ({ path, sha256: '0'.repeat(64) }))
      return skill ? ok({ entry: skill, files }) : none
    },
    async read(name, path) {
      const skill = find(name)
      const text = all[name]?.[path]
      return skill && text !== undefined ? ok({ entry: skill, path, bytes: utf8(text) }) : none
    },
  }
}

export type Answer = ToolResult & { readonly content: string }

export async function call(
  name: string,
  input: object,
  files = new FakeFiles(),
  skills: SkillAccess = skillsWith({}),
  documents: DocumentReader | null = null,
): Promise<Answer> {
  const tool = BUILTINS.find(({ spec }) => spec.name === name)?.make(
    toolContext({ skills, files, documents }),
  )
  if (!tool) throw new Error(`no tool ${name}`)
  const { signal } = new AbortController()
  const result = await tool.run(input, {
    runId: 'r',
    toolUseId: 't',
    idempotencyKey: 'r:t',
    signal,
    progress: () => {},
  })
  if (typeof result.content !== 'string') throw new Error('these tools answer with text')
  return { ...result, content: result.content }
}

/** Files as they are after uploads. */
export async function filesOf(
  all: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Promise<FakeFiles> {
  const files = new FakeFiles()
  for (const [path, content] of Object.entries(all)) await files.put(path, content)
  return files
}
