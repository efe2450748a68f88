// Offers the built-in tools as a tool source.

import { NEVER_ASK } from '../agent/approval.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { err, ok } from '../lib/result.ts'
import { BUILTINS } from './builtins.ts'
import type { BuiltinTool } from './record/builtin.ts'
import type { OfferedTool } from './record/offered.ts'
import type { ToolSource } from './record/source.ts'

export const BUILTIN_SOURCE: ToolSource = {
  name: 'builtin',
  configured: false,
  offered: async ({ builtins }) => Promise.all(builtins.map(offer)),
  groupOf: ({ name }) => BUILTINS.find(({ spec }) => spec.name === name)?.group ?? null,
  find: (row, { builtins, context }) => {
    const tool = builtins.find(({ spec }) => spec.name === row.name)
    if (!tool) return err(null)
    const { approval, preview } = tool
    return ok({ ...tool.make(context), ...(approval ? { approval } : {}), ...(preview ? { preview } : {}) })
  },
}

/**
 * Caches the digest of each built-in tool, which never changes. Stores results instead of promises, because a promise
 * belongs to the request that created it.
 */
const cachedOffers = new WeakMap<BuiltinTool, OfferedTool>()

async function offer(tool: BuiltinTool): Promise<OfferedTool> {
  const cached = cachedOffers.get(tool)
  if (cached) return cached
  const { spec, effect, approval = NEVER_ASK, group = null, label = null, includedIf = () => true } = tool
  const digest = await sha256Hex(canonicalJson(spec))
  const row = { name: spec.name, spec, source: 'builtin', effect, approval, digest } as const
  const offered: OfferedTool = { row, group, label, includedIf }
  cachedOffers.set(tool, offered)
  return offered
}
