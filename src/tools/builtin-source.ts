// The tools of the build as a source.

import { NEVER_ASK } from '../agent/approval.ts'
import type { ToolRow } from '../agent/tool.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { err, ok } from '../lib/result.ts'
import { BUILTINS } from './builtins.ts'
import type { BuiltinTool } from './record/builtin.ts'
import type { ToolSource } from './record/source.ts'

export const BUILTIN: ToolSource = {
  name: 'builtin',
  fromSettings: false,
  offered: async ({ builtins }) =>
    Promise.all(
      builtins.map(async (tool) => ({
        row: await rowOf(tool),
        group: tool.group ?? null,
        label: tool.label ?? null,
        bornIf: tool.bornIf ?? (() => true),
      })),
    ),
  groupOf: ({ name }) => BUILTINS.find(({ spec }) => spec.name === name)?.group ?? null,
  find: (row, { builtins, context }) => {
    const tool = builtins.find(({ spec }) => spec.name === row.name)
    if (!tool) return err(null)
    const { approval, preview } = tool
    return ok({ ...tool.make(context), ...(approval ? { approval } : {}), ...(preview ? { preview } : {}) })
  },
}

async function rowOf({ spec, effect, approval = NEVER_ASK }: BuiltinTool): Promise<ToolRow> {
  const digest = await sha256Hex(canonicalJson(spec))
  return { name: spec.name, spec, source: 'builtin', effect, approval, digest }
}
