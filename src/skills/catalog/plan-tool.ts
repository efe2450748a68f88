// What each change of tools would do, decided from the catalog's rows alone. Reads no definition and writes nothing.

import { utf8 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { TOOLS_BYTES_MAX, TOOLS_ENABLED_MAX } from './limits.ts'
import type { SkillIndex, ToolEntry } from '../skill.ts'
import type { Action, Expect } from './api.ts'
import { buildTool, mergeTools, toolIn } from './merge-tools.ts'
import { appliedTools, changeOf } from './plan.ts'
import type { Plan, Snapshot, ToolEdit } from './plan.ts'
import { catalogToolNames, toolTimes, toolVersion } from './tool-rows.ts'
import type { NewTool, ToolWish } from './tools-api.ts'
import { wayBack } from './version-rows.ts'

/** What would happen to one tool; null: it is so already. */
type Edited = Result<ToolEdit | null>

export function planTools(wish: ToolWish): Plan {
  return (at) => {
    const edits: ToolEdit[] = []
    for (const edited of wish.kind === 'upsert-tools' ? puts(at, wish) : [edit(at, wish)]) {
      if (!edited.ok) return edited
      if (edited.value) edits.push(edited.value)
    }
    const full = tooMuch(at, edits)
    return full ?? ok(changeOf([], wish.kind === 'upsert-tools' ? wish.note : null, edits))
  }
}

/** What a restore does to tools: those of the workspace and the switches as they were in `target`. */
export function toolsAsIn(
  at: Snapshot,
  target: SkillIndex,
  note: string | null,
): Result<readonly ToolEdit[]> {
  const edits: ToolEdit[] = []
  const was = new Map(target.tools?.map((entry) => [entry.name, entry]))
  for (const name of new Set([...was.keys(), ...at.overlay.tools.keys()])) {
    const edited = restored(at, name, was.get(name))
    if (!edited.ok) return edited
    if (edited.value) edits.push({ ...edited.value, note })
  }
  return tooMuch(at, edits) ?? ok(edits)
}

function puts(at: Snapshot, { tools, note }: Extract<ToolWish, { kind: 'upsert-tools' }>): readonly Edited[] {
  const names = new Set<string>()
  return tools.map((one) => {
    // Which of the two would win?
    if (names.has(one.name)) return fail('invalid_request', `The tool "${one.name}" is named twice.`)
    names.add(one.name)
    return put(at, one, note)
  })
}

function put(at: Snapshot, { name, digest, definition, expect }: NewTool, note: string | null): Edited {
  const live = at.overlay.tools.get(name)
  // Whoever sends it again because the answer was lost expects what was live before: it is done.
  if (live?.digest === digest) return ok(null)
  const late = stale(at, name, expect)
  if (late) return late
  const custom = entryOf(at, { name, digest, definition })
  return ok({ ...edited(name, 'put', live ?? null, custom), version: { definition }, note })
}

function edit(at: Snapshot, wish: Exclude<ToolWish, { kind: 'upsert-tools' }>): Edited {
  const late = stale(at, wish.tool, wish.expect)
  if (late) return late
  if (wish.kind === 'patch-tool') return switched(at, wish.tool, wish.enabled)
  if (wish.kind === 'rollback-tool') return rolledBack(at, wish.tool, wish.to)
  const live = at.overlay.tools.get(wish.tool)
  return live ? ok(edited(wish.tool, 'unpublish', live, null)) : notOurs(at, wish.tool, 'taken out')
}

/** A version as it is live from now on: the tool's switch stays, and one that comes back comes back switched on. */
function entryOf(at: Snapshot, version: Pick<ToolEntry, 'name' | 'digest' | 'definition'>): ToolEntry {
  const enabled = toolIn(at.build, at.overlay, version.name)?.enabled ?? true
  const { name, digest, definition } = version
  return { name, digest, definition, enabled, source: 'workspace', updated_at: at.now }
}

function edited(tool: string, action: Action, before: ToolEntry | null, after: ToolEntry | null): ToolEdit {
  const digests = { before: before?.digest ?? null, after: after?.digest ?? null }
  return { tool, custom: after, action, also: [], note: null, ...digests }
}

function switched(at: Snapshot, tool: string, enabled: boolean): Edited {
  const seen = toolIn(at.build, at.overlay, tool)
  if (!seen) return unknown(at, tool)
  if (seen.enabled === enabled) return ok(null)
  const action = enabled ? 'enable' : 'disable'
  const changed = { tool, action, also: [], note: null, before: seen.digest, after: seen.digest } as const
  const ours = seen.source === 'workspace'
  return ok({ ...changed, ...(ours ? { custom: { ...seen, enabled, updated_at: at.now } } : { enabled }) })
}

function toVersion(at: Snapshot, tool: string, digest: string): Edited {
  const live = at.overlay.tools.get(tool) ?? null
  if (live?.digest === digest) return ok(null)
  const version = toolVersion(at.sql, tool, digest)
  if (!version) return noVersion(tool, digest)
  return ok(edited(tool, 'rollback', live, entryOf(at, { name: tool, ...version })))
}

export function noVersion(tool: string, digest: string): Result<never> {
  return fail(
    'not_found',
    `The tool "${tool}" has no version ${digest}. GET /admin/tools/${tool}/versions lists them.`,
  )
}

function rolledBack(at: Snapshot, tool: string, to: string | number): Edited {
  if (typeof to === 'string') return toVersion(at, tool, to)
  const times = toolTimes(at.sql, tool)
  if (times.length === 0) return notOurs(at, tool, 'rolled back')
  const earlier = wayBack(times, at.overlay.tools.get(tool)?.digest ?? null)
  const digest = earlier[-to - 1]
  if (digest !== undefined) return toVersion(at, tool, digest)
  return fail(
    'invalid_request',
    `"${tool}" cannot go back ${-to}: it has ${earlier.length} earlier version${earlier.length === 1 ? '' : 's'} to go back to. Name any other by its digest.`,
  )
}

function restored(at: Snapshot, name: string, was: ToolEntry | undefined): Edited {
  const live = at.overlay.tools.get(name)
  if (was?.source !== 'workspace') return ok(asBuilt(at, name, live, was))
  const also = live && live.enabled !== was.enabled ? ([was.enabled ? 'enable' : 'disable'] as const) : []
  if (live?.digest === was.digest && also.length === 0) return ok(null)
  const version = toolVersion(at.sql, name, was.digest)
  if (!version) return noVersion(name, was.digest)
  const custom = { ...entryOf(at, { name, ...version }), enabled: was.enabled }
  return ok({ ...edited(name, 'restore', live ?? null, custom), also })
}

/** No tool of the workspace under that name, and the switch that the build's had then, where it was seen. */
function asBuilt(
  at: Snapshot,
  name: string,
  live: ToolEntry | undefined,
  was: ToolEntry | undefined,
): ToolEdit | null {
  const built = buildTool(at.build, at.overlay, name)
  const turned = built && was && built.enabled !== was.enabled ? { enabled: was.enabled } : {}
  if (live) return { ...edited(name, 'restore', live, null), also: ['unpublish'], ...turned }
  if (!built || !('enabled' in turned)) return null
  const also = [turned.enabled ? 'enable' : 'disable'] as const
  const digest = built.digest
  return { tool: name, action: 'restore', also, note: null, before: digest, after: digest, ...turned }
}

/** Why a change over what is live under the name may not be; null: it is what is expected. */
function stale(at: Snapshot, tool: string, expect: Expect): Result<never> | null {
  const seen = toolIn(at.build, at.overlay, tool)?.digest ?? null
  if (expect === undefined || seen === expect || (expect === '*' && seen !== null)) return null
  const detail =
    expect === null
      ? `The tool "${tool}" is there already, at ${seen}. Name that digest to change it.`
      : `The tool "${tool}" is at ${seen ?? 'no version'}, not at ${expect}. Read it again, then change what is live.`
  return fail('stale_version', detail)
}

function unknown(at: Snapshot, tool: string): Result<never> {
  const gone = catalogToolNames(at.sql)
  if (gone.includes(tool))
    return fail('not_found', `The tool "${tool}" was taken out. POST …/rollback {"to": -1} brings it back.`)
  const names = [...mergeTools(at.build, at.overlay).map(({ name }) => name), ...gone]
  return fail('not_found', `No tool "${tool}" in this catalog.${didYouMean(tool, [...new Set(names)])}`)
}

function notOurs(at: Snapshot, tool: string, wish: string): Result<never> {
  if (!buildTool(at.build, at.overlay, tool)) return unknown(at, tool)
  return fail(
    'invalid_request',
    `"${tool}" comes with the build: it can be switched on and off, not ${wish}. Put a tool of the same name to take its place.`,
  )
}

/** What a catalog of tools may not become; null: it may. What it is too large for already may still shrink. */
function tooMuch(at: Snapshot, edits: readonly ToolEdit[]): Result<never> | null {
  if (!edits.some(({ custom, enabled }) => custom || enabled)) return null
  const tools = mergeTools(at.build, appliedTools(at.overlay, edits))
  const enabled = tools.filter((tool) => tool.enabled).length
  if (enabled > TOOLS_ENABLED_MAX)
    return fail(
      'invalid_request',
      `That would switch on ${enabled} tools; a workspace may have ${TOOLS_ENABLED_MAX}. Switch some off first.`,
    )
  const bytes = tools.reduce((sum, { definition }) => sum + utf8(JSON.stringify(definition)).length, 0)
  if (bytes <= TOOLS_BYTES_MAX) return null
  return fail(
    'invalid_request',
    `All definitions together would have ${bytes} bytes; a workspace may have ${TOOLS_BYTES_MAX}. Take some out first.`,
  )
}
